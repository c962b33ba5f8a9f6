package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/lsp"
)

// TestDemo holds the demo to one screen, and to two seconds.
func TestDemo(t *testing.T) {
	begin := time.Now()
	r := start(t, "", "demo")
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("the demo took %v", took)
	}
	if r.status != exitOK || r.stderr != "" {
		t.Fatalf("demo = %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	lines := strings.Split(strings.TrimSuffix(r.stdout, "\n"), "\n")
	if len(lines) > 40 {
		t.Errorf("the demo has %d lines, more than a screen", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("wider than a screen: %s", line)
		}
	}
	for _, want := range []string{
		"lines 1-564, 2695-3000 of 3000", "[Lines 565-2694 truncated]",
		"refused. Lines 565-566 were not read. Read that range first.",
		"applied. 3 of 3000 lines differ on disk:", "- 10564: 816,   + 10564: 866,",
		"gofmt -w limits.go", "applied, with a warning: You last saw this file 3 rounds ago; it may have changed.",
		"limits.go  fully read    100%  -         10\n", "prices.go  partial read  29%   567-2694  -\n",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("the demo does not say %q", want)
		}
	}
}

// TestDemoFails has servers that do not do as the demo tells.
func TestDemoFails(t *testing.T) {
	large, problems := config.Parse("config.yml", []byte("tools: {truncation: {overrides: {read_file: {inline_limit: 1000000}}}}"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, test := range []struct {
		name     string
		opts     workspace.Options
		settings any
		want     string
	}{
		{"nothing is cut", workspace.Options{Config: large}, nil, "step 1 of the demo: prices.go was not cut in two"},
		{"nothing is handed out", workspace.Options{}, map[string]bool{"autoExpand": false}, "step 2 of the demo: the edit was not refused as expected"},
		{"stale files are blocked", workspace.Options{}, map[string]string{"stalePolicy": "block"}, "step 4 of the demo: the agent was not warned"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			var out, stderr bytes.Buffer
			a := &app{streams: streams{io.NopCloser(nil), writeCloser{&out}, &stderr}, ready: true}
			err := a.demo(context.Background(), lsp.ServerOptions{Log: zap.NewNop(), Workspace: test.opts}, test.settings)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("demo: %v, want %s\n%s", err, test.want, &out)
			}
			if a.conclude(err) != exitFailed {
				t.Errorf("the failed demo does not exit %d", exitFailed)
			}
			if !strings.Contains(out.String(), "1  An agent reads") {
				t.Errorf("what went before is not shown: %s", &out)
			}
			if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestColours(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, test := range []struct {
		stream        any
		noColor, term string
		want          string
	}{
		{terminal, "", "xterm", "\x1b[1mx\x1b[0m"},
		{terminal, "1", "xterm", "x"},
		{terminal, "", "dumb", "x"},
		{null, "", "xterm", "x"},
		{file, "", "xterm", "x"},
		{&bytes.Buffer{}, "", "xterm", "x"},
	} {
		t.Run(fmt.Sprintf("%T,%s,%s", test.stream, test.noColor, test.term), func(t *testing.T) {
			t.Setenv("NO_COLOR", test.noColor)
			t.Setenv("TERM", test.term)
			if got := colours(test.stream).bold("x"); got != test.want {
				t.Errorf("bold = %q, want %q", got, test.want)
			}
		})
	}
}

// TestColouredTable has a table whose columns stay aligned.
func TestColouredTable(t *testing.T) {
	rows := [][]string{{"A", "B"}, {"longer", "x"}}
	if got, want := table(true, rows), "\x1b[1mA       B\x1b[0m\nlonger  x\n"; got != want {
		t.Errorf("table = %q, want %q", got, want)
	}
}
