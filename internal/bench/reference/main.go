// Command reference is the plain program that the pipeline is held against: it
// streams a file, counts its lines and characters, keeps its two ends and
// prints them. With -sha256 it also hashes it, and with -keep=DIR it writes it
// to a file there, which it syncs and gives its name at the end.
//
// It masks nothing and understands nothing. Of its arguments only the last
// counts besides these: a file, else it reads stdin; so it can stand in for
// acode-ls.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/acode-ls/acode-ls/internal/text"
)

const (
	blockSize = 128 << 10 // bytes
	endSize   = 4 << 10   // bytes that are kept of each end
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(args []string, in io.Reader, out io.Writer) (err error) {
	if len(args) > 0 {
		if f, err := os.Open(args[len(args)-1]); err == nil {
			defer f.Close()
			in = f
		}
	}
	s := summary{}
	if slices.Contains(args, "-sha256") {
		s.sum = sha256.New()
	}
	for _, arg := range args {
		dir, ok := strings.CutPrefix(arg, "-keep=")
		if !ok {
			continue
		}
		f, err := os.CreateTemp(dir, "temp")
		if err != nil {
			return err
		}
		in = io.TeeReader(in, f)
		defer func() { err = errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), f.Name()+".txt")) }()
	}
	if err := s.read(in); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n[%d lines, %d characters", s.head, s.lines, s.counter.Characters())
	if err == nil && s.sum != nil {
		_, err = fmt.Fprintf(out, ", sha256 %x", s.sum.Sum(nil))
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "]\n%s", s.tail)
	}
	return err
}

// summary is what is known of a text.
type summary struct {
	lines      int
	counter    text.Counter
	head, tail []byte
	sum        hash.Hash // nil for none
}

func (s *summary) read(in io.Reader) error {
	block := make([]byte, blockSize)
	for {
		n, err := in.Read(block)
		s.add(block[:n])
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading: %v", err)
		}
	}
}

func (s *summary) add(p []byte) {
	if s.sum != nil {
		s.sum.Write(p)
	}
	s.lines += bytes.Count(p, []byte{'\n'})
	s.counter.Write(p)
	s.head = append(s.head, p[:min(len(p), endSize-len(s.head))]...)
	s.tail = append(s.tail, p[max(0, len(p)-endSize):]...)
	s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-endSize):]...)
}
