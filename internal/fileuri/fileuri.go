// Package fileuri converts between absolute paths and file URIs (RFC 8089).
//
// URIs are never compared: clients spell the same file as c%3A or C:, é or
// %C3%A9.
package fileuri

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// Format returns the URI of an absolute path.
func Format(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Parse returns the path of a file URI.
func Parse(uri string) (string, error) {
	if uri == "" {
		return "", errors.New("a document without URI")
	}
	u, err := url.Parse(uri)
	if err != nil {
		return "", fmt.Errorf("URI %q: %w", uri, err)
	}
	if u.Scheme != "file" {
		return "", fmt.Errorf("URI %q: only the scheme file is supported", uri)
	}
	isLocal := u.Host == "" || u.Host == "localhost"
	if runtime.GOOS == "windows" {
		if !isLocal {
			return `\\` + u.Host + filepath.FromSlash(u.Path), nil
		}
		return filepath.FromSlash(strings.TrimPrefix(u.Path, "/")), nil
	}
	if !isLocal {
		return "", fmt.Errorf("URI %q: it names another host", uri)
	}
	if !strings.HasPrefix(u.Path, "/") {
		return "", fmt.Errorf("URI %q: its path is not absolute", uri)
	}
	return u.Path, nil
}
