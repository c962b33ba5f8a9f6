package lsp

import (
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestExtensionsPage fails when the wire types changed and nobody looked at
// the page that documents them.
func TestExtensionsPage(t *testing.T) {
	wire, err := os.ReadFile("wire.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/lsp-extensions.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(wire))[:16]
	m := regexp.MustCompile(`<!-- wire.go: (\w+) -->`).FindSubmatch(page)
	if m == nil || string(m[1]) != sum {
		t.Errorf("wire.go changed: bring docs/lsp-extensions.md up to date, then write <!-- wire.go: %s --> there", sum)
	}
	names := commandNames()
	for method := range (&Server{}).handlers() {
		if strings.HasPrefix(method, "acode/") {
			names = append(names, method)
		}
	}
	for _, name := range names {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/lsp-extensions.md does not name %s", name)
		}
	}
}
