package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// This file is how things look to a person.

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}

// paint puts text in colour, if it is true.
type paint bool

// colours reports whether what is written to a stream may have colour.
func colours(stream any) paint {
	return paint(isTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

func (p paint) bold(s string) string    { return p.in("1", s) }
func (p paint) faint(s string) string   { return p.in("2", s) }
func (p paint) red(s string) string     { return p.in("31", s) }
func (p paint) green(s string) string   { return p.in("32", s) }
func (p paint) yellow(s string) string  { return p.in("33", s) }
func (p paint) magenta(s string) string { return p.in("35", s) }
func (p paint) cyan(s string) string    { return p.in("36", s) }

func (p paint) in(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// table aligns rows in columns; the first is the head.
func table(p paint, rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = io.WriteString(w, strings.Join(row, "\t")+"\n")
	}
	_ = w.Flush()
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		if i == 0 {
			line = p.bold(line)
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// printable writes characters that would move the cursor, or worse, as they are
// escaped in Go.
func printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
