package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// This file reads command lines, and writes them.

// flagsOf returns the arguments before "--".
func flagsOf(args []string) []string {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i]
	}
	return args
}

// unknownCommand takes no arguments: what is left of them is no command.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return usageError("unknown command %q; %s", args[0], suggestion(cmd, args[0], names))
}

func flagError(cmd *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok && bad.GetFlag().Value.Type() == "int" {
		return usageError("--%s %q is not a whole number", bad.GetFlag().Name, bad.GetValue())
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usageError("%v", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return usageError("unknown flag -%s; %s", name, suggestion(cmd, name, nil))
	}
	return usageError("unknown flag --%s; %s", name, suggestion(cmd, "--"+name, names))
}

// suggestion names what was meant instead of word, or where to look.
func suggestion(cmd *cobra.Command, word string, names []string) string {
	best, distance := "", 3
	for _, name := range names {
		if d := editDistance(word, name); d < distance || distance == 3 && strings.HasPrefix(name, word) {
			best, distance = name, d
		}
	}
	if best != "" {
		return fmt.Sprintf("did you mean %s?", best)
	}
	return fmt.Sprintf("see %s --help", cmd.CommandPath())
}

// editDistance returns how many bytes must be put in, left out or replaced to
// make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// commandName names a command in a sentence that begins with the program.
func commandName(cmd *cobra.Command) string {
	if _, name, ok := strings.Cut(cmd.CommandPath(), " "); ok {
		return name
	}
	return "serve" // what the program is without a command
}

// oneFile wants exactly one FILE.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError("%s needs a FILE", commandName(cmd))
	}
	return fileOrNone(cmd, args)
}

func fileOrNone(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return usageError("%s takes one FILE, not also %q", commandName(cmd), args[1])
	case len(args) == 1 && args[0] == "":
		return usageError("the FILE is an empty string")
	}
	return nil
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("%s takes no arguments such as %q", commandName(cmd), args[0])
	}
	return nil
}

// parseSpan reads A-B, or A for A-A.
func parseSpan(flag, s string) (a, b int, err error) {
	first, last, isSpan := strings.Cut(s, "-")
	if !isSpan {
		last = first
	}
	for _, part := range []struct {
		text string
		to   *int
	}{{first, &a}, {last, &b}} {
		n, err := strconv.ParseUint(part.text, 10, 31)
		if err != nil {
			return 0, 0, usageError("%s %q: write two whole numbers, as in %s 10-20", flag, s, flag)
		}
		*part.to = int(n)
	}
	return a, b, nil
}

// parseLines reads a range of lines. One that ends right before it starts is
// the place between two lines.
func parseLines(s string, placeToo bool) (awareness.Range, error) {
	first, last, err := parseSpan("--lines", s)
	r := awareness.Range{Start: first, End: last}
	switch {
	case err != nil:
		return r, err
	case first == 0 || last == 0 && !(placeToo && first == 1):
		return r, usageError("--lines %q: lines count from 1", s)
	case r.Len() < 0 || r.Len() == 0 && !placeToo:
		return r, usageError("--lines %q runs backwards", s)
	}
	return r, nil
}

// parseBytes reads a half-open range of bytes.
func parseBytes(s string) (workspace.Selection, error) {
	start, end, err := parseSpan("--bytes", s)
	if err == nil && end <= start {
		err = usageError("--bytes %q holds no byte: bytes count from 0 and the last is not included", s)
	}
	return workspace.Selection{StartByte: start, EndByte: end}, err
}

// again returns a command line of this program for the same session of the
// same workspace.
func (a *app) again(args ...string) string {
	args = append([]string{"acode-ls"}, args...)
	if a.root != "" {
		args = append(args, "--root", a.root)
	}
	if a.named != "" {
		args = append(args, "--session", a.named)
	}
	if a.json {
		args = append(args, "--json")
	}
	for i, arg := range args {
		args[i] = quote(arg)
	}
	return strings.Join(args, " ")
}

// asFile spells a FILE so that it is not taken for a flag.
func asFile(file string) string {
	if strings.HasPrefix(file, "-") {
		return "./" + file
	}
	return file
}

// quote writes a word for a POSIX shell.
func quote(word string) string {
	special := func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune("-_./,:=@%+", r)
	}
	if word != "" && strings.IndexFunc(word, special) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
