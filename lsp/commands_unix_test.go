//go:build unix

package lsp_test

import "syscall"

func fifo(s *scene, args []string) (string, error) {
	return "", syscall.Mkfifo(s.path(args[0]), 0o600)
}
