//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestEditorDies: the server ends in order, not by a signal, when nobody reads
// what it writes (C-137).
func TestEditorDies(t *testing.T) {
	binary := t.TempDir() + "/acode-ls"
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "serve", "--root", t.TempDir())
	cmd.Stdout = write
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read.Close()
	write.Close()
	if _, err := io.WriteString(in, "Content-Length: 75\r\n\r\n"+
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`); err != nil {
		t.Fatal(err)
	}
	in.Close()
	err = cmd.Wait()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if ok && exit.Sys().(syscall.WaitStatus).Signaled() {
		t.Errorf("acode-ls ended by %v", exit)
	}
}
