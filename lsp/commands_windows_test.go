package lsp_test

import "errors"

func fifo(*scene, []string) (string, error) { return "", errors.ErrUnsupported }
