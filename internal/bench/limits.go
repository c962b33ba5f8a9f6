package main

import (
	"bytes"
	"crypto/sha256"
	stdjson "encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/gofrs/flock"

	"github.com/acode-ls/acode-ls/internal/text"
)

// limits measures what one core and the disk can do at best, and our own
// counting beside it.
func (b *bench) limits() (*report, error) {
	r := &report{title: "Limits, one core"}
	b.textLimits(r)
	b.formatLimits(r)
	if err := b.readLimits(r); err != nil {
		return nil, err
	}
	return r, b.diskLimits(r)
}

// keep keeps the compiler from leaving out the work that n comes from.
//
//go:noinline
func keep(n int) { _ = n }

// textLimits works on a text that fits into a core's cache, as a stream does.
func (b *bench) textLimits(r *report) {
	s := mixed(b.size(256 << 10))
	p, to := []byte(s), make([]byte, len(s))
	newline := []byte{'\n'}
	speed := gigabytesPerSecond(len(s))
	works := []struct {
		name string
		do   func()
	}{
		{"memmove", func() { keep(copy(to, p)) }},
		{"bytes.Count '\\n'", func() { keep(bytes.Count(p, newline)) }},
		{"split into lines by bytes.IndexByte", func() { keep(splitByIndex(p)) }},
		{"utf8.RuneCountInString", func() { keep(utf8.RuneCountInString(s)) }},
		{"text.CodePoints (ours)", func() { keep(text.CodePoints(s)) }},
		{"text.Split + CodePoints (ours)", func() { keep(text.Split(s).Len() + text.CodePoints(s)) }},
		{"text.Counter (ours)", func() { var c text.Counter; c.Write(p); keep(c.Characters()) }},
		{"utf8.Valid", func() { keep(b2i(utf8.Valid(p))) }},
		{"sha256", func() { sum := sha256.Sum256(p); keep(int(sum[0])) }},
		{"lines + CodePoints + sha256 in one pass", func() { keep(onePass(s, p)) }},
	}
	all := make([]work, len(works))
	for i, w := range works {
		all[i] = b.always(w.do)
	}
	outcomes := turns(b.rounds, all...)
	runeCount := outcomes[3]
	for i, w := range works {
		if strings.HasSuffix(w.name, "(ours)") {
			r.add(w.name, speed, outcomes[i], "RuneCountInString", runeCount, bound{})
		} else {
			r.add(w.name, speed, outcomes[i], "memmove", outcomes[0], bound{})
		}
	}
	r.absent("lines + code points, AVX2", "assembly")
	r.absent("utf8.Valid, AVX2", "segmentio/asm")
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// onePass counts and hashes s, of which p is a copy, a block at a time.
func onePass(s string, p []byte) int {
	const block = 32 << 10
	sum, n := sha256.New(), 0
	for start := 0; start < len(s); start += block {
		end := min(start+block, len(s))
		sum.Write(p[start:end])
		n += text.LineEnds(s[start:end]) + text.CodePoints(s[start:end])
	}
	return n + int(sum.Sum(nil)[0])
}

func splitByIndex(p []byte) int {
	lines := 0
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			return lines
		}
		p = p[i+1:]
		lines++
	}
}

// formatLimits reads JSON and XML.
func (b *bench) formatLimits(r *report) {
	size := b.size(1 << 20)
	json, document := jsonText(size), xmlText(size)
	outcomes := turns(b.rounds,
		b.always(func() { keep(scanJSON(json)) }),
		b.calls(func() error { return jsonTokens(json) }),
		b.calls(func() error { return encodingTokens(json) }),
		b.always(func() { keep(scanXML(document)) }),
		b.calls(func() error { return xmlTokens(document) }),
	)
	ofJSON, ofXML := gigabytesPerSecond(len(json)), gigabytesPerSecond(len(document))
	r.alone("JSON: scan of its bytes", ofJSON, outcomes[0], bound{})
	r.add("JSON: tokens by jsontext", ofJSON, outcomes[1], "scan", outcomes[0], bound{})
	r.add("JSON: tokens by encoding/json", ofJSON, outcomes[2], "scan", outcomes[0], bound{})
	r.alone("XML: scan for '<' and '>'", ofXML, outcomes[3], bound{})
	r.add("XML: tokens by encoding/xml", ofXML, outcomes[4], "scan", outcomes[3], bound{})
}

// scanJSON is the least that finds the elements of a list: it skips strings,
// counts brackets, and returns how many elements end with a comma.
func scanJSON(s string) int {
	depth, elements := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 1 {
				elements++
			}
		}
	}
	return elements
}

// scanXML is the least that finds the elements below the root: it returns how
// many start.
func scanXML(s string) int {
	depth, elements := 0, 0
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return elements
		}
		s = s[i+1:]
		end := strings.IndexByte(s, '>')
		if end < 1 {
			return elements
		}
		switch {
		case s[0] == '/':
			depth--
		case s[end-1] != '/':
			if depth++; depth == 2 {
				elements++
			}
		}
		s = s[end+1:]
	}
}

func jsonTokens(s string) error {
	d := jsontext.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.ReadToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func encodingTokens(s string) error {
	d := stdjson.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func xmlTokens(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.RawToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readLimits reads a file that the system has in memory.
func (b *bench) readLimits(r *report) error {
	size := b.size(64 << 20)
	path, err := b.file("cached", mixed(b.size(1<<20)), size)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	reading := func(buffer int) work {
		block := make([]byte, buffer)
		return b.calls(func() error {
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			for {
				if _, err := f.Read(block); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
			}
		})
	}
	outcomes := turns(b.rounds, reading(128<<10), reading(1<<20))
	r.alone("read() from memory, 128 KB at once", gigabytesPerSecond(size), outcomes[0], bound{})
	r.alone("read() from memory, 1 MB at once", gigabytesPerSecond(size), outcomes[1], bound{})
	return nil
}

// diskLimits writes to the disk that holds the folder of temporary files. Where
// that waits for the disk, it is the time on the wall that counts.
func (b *bench) diskLimits(r *report) error {
	small, large := make([]byte, b.size(100_000)), make([]byte, b.size(10_000_000))
	path := filepath.Join(b.folder, "written")
	journal, err := os.Create(path + ".jsonl")
	if err != nil {
		return err
	}
	defer journal.Close()
	record := make([]byte, 200)
	lock := flock.New(path + ".lock")
	defer lock.Close()
	outcomes := turns(b.rounds,
		b.calls(func() error { return os.WriteFile(path, large, 0o600) }),
		b.calls(func() error { return replace(path, small) }),
		b.calls(func() error { return replace(path, large) }),
		b.calls(func() error { _, err := journal.Write(record); return err }),
		b.calls(func() error { return errors.Join(lock.Lock(), lock.Unlock()) }),
	)
	r.alone("write 10 MB", gigabytesPerSecond(len(large)), outcomes[0], bound{})
	r.alone("write, fsync, rename, fsync, 100 KB", wallMilliseconds, outcomes[1], bound{})
	r.alone("write, fsync, rename, fsync, 10 MB", wallMilliseconds, outcomes[2], bound{})
	r.alone("append 200 bytes", cpuMicroseconds, outcomes[3], bound{})
	r.alone("open, lock and unlock a free file", cpuMicroseconds, outcomes[4], bound{})
	return nil
}

// replace puts p in the place of a file, whole or not at all.
func replace(path string, p []byte) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	_, err = f.Write(p)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("writing a file: %v", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	_ = folder.Sync() // not every system knows how
	return nil
}
