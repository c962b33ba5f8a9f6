package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk: without room on the disk nothing is half stored, and the answer
// says what is wrong (NFR-007, THR-3.4). Only root can make a small disk.
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	err := syscall.Mount("none", root, "tmpfs", 0, "size=256k")
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Logf("no small disk can be made here: %v", err)
		return
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(root, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	large := strings.Repeat("123456789\n", 100_000)
	for _, args := range [][]string{{"artifacts", "put"}, {"truncate", "--tool", "execute_command"}} {
		r := start(t, large, append([]string{"--root", root, "--json"}, args...)...)
		var got shown
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.status != exitFailed || got.OK || got.Error.Code != "NO_SPACE" || string(got.Data) != "null" {
			t.Errorf("%q = %d, %v: %s%s", args, r.status, err, r.stdout, r.stderr)
		}
	}
	left, err := os.ReadDir(filepath.Join(root, ".acode", "artifacts"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, f := range left {
		if strings.Contains(f.Name(), "art_") {
			t.Errorf("%s is left of what was not stored", f.Name())
		}
	}
	if r := start(t, "small", "--root", root, "artifacts", "put"); r.status != exitOK {
		t.Errorf("what fits is not stored: %s", r.stderr)
	}
}
