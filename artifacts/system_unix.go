//go:build unix

package artifacts

import (
	"errors"
	"syscall"
)

// nonblock keeps the opening of a pipe from waiting, should one take the place
// of a file.
const nonblock = syscall.O_NONBLOCK

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
