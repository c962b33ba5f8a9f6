//go:build unix

package fileuri_test

import (
	"path/filepath"
	"testing"

	"github.com/acode-ls/acode-ls/internal/fileuri"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ uri, path, err string }{
		{"file:///a/b.go", "/a/b.go", ""},
		{"file:///a/c%20d/%C3%A9.go", "/a/c d/é.go", ""},
		{"file:///a/c d/é.go", "/a/c d/é.go", ""},
		{"file://localhost/a", "/a", ""},
		{"FILE:///a", "/a", ""},
		{"file:///a%23b%3Fc", "/a#b?c", ""},
		{"", "", "a document without URI"},
		{"file://host/a", "", `URI "file://host/a": it names another host`},
		{"file:a", "", `URI "file:a": its path is not absolute`},
		{"untitled:Untitled-1", "", `URI "untitled:Untitled-1": only the scheme file is supported`},
		{"file:///%zz", "", `URI "file:///%zz": parse "file:///%zz": invalid URL escape "%zz"`},
	} {
		path, err := fileuri.Parse(test.uri)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if path != test.path || message != test.err {
			t.Errorf("Parse(%q) = %q, %q, want %q, %q", test.uri, path, message, test.path, test.err)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, path := range []string{"/a/b.go", "/a b/é#?%.go", "/", "/\xff", "//x", "/a:b;c&d=e+f"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		path = filepath.Join(string(filepath.Separator), path)
		uri := fileuri.Format(path)
		if back, err := fileuri.Parse(uri); err != nil || back != path {
			t.Errorf("Parse(Format(%q)) = %q, %v by way of %q", path, back, err, uri)
		}
	})
}
