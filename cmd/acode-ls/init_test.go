package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/acode-ls/acode-ls/internal/setup"
)

func TestProgramAt(t *testing.T) {
	quoted := `'/it'\''s here/acode-ls'`
	if runtime.GOOS == "windows" {
		quoted = `"/it's here/acode-ls"`
	}
	for path, want := range map[string]setup.Program{
		"/usr/bin/acode-ls":   {Path: "/usr/bin/acode-ls", Quoted: "/usr/bin/acode-ls"},
		"/it's here/acode-ls": {Path: "/it's here/acode-ls", Quoted: quoted},
	} {
		if got, err := programAt(path); err != nil || got != want {
			t.Errorf("programAt(%q) = %+v, %v, want %+v", path, got, err, want)
		}
	}
	for path, want := range map[string]string{
		"/usr/bin/renamed":   `this program is called "renamed"`,
		"/\xff/bin/acode-ls": "is not UTF-8",
	} {
		if _, err := programAt(path); err == nil || !strings.Contains(err.Error(), want) || failureOf(err).status != exitUsage {
			t.Errorf("programAt(%q): %v, want %s", path, err, want)
		}
	}
}

func TestVisible(t *testing.T) {
	if got, want := visible("a\tb\r\nc\x1b[2J\u202e\n"), "a\tb\nc\ufffd[2J\ufffd\n"; got != want {
		t.Errorf("visible is %q, want %q", got, want)
	}
}
