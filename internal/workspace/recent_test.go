package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReread reads a file again and again as it changes, though its date says
// that it has not.
func TestReread(t *testing.T) {
	root := t.TempDir()
	h, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	path := filepath.Join(root, "a.txt")
	long := strings.Repeat("line\n", 40_000) // more than is read at once
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var before string
	for i, content := range []string{
		"a\nb\n", "a\nb\n", "a\nc\n", "a\nc", "a\nc\nd\n", "", "", bom + "a\n", bom + "a\n", "a\n", "a\x00\n", "a\n", "caf\xe9, and much plain text after it\r\n",
		long, long, long + "x", long, long[:len(long)-1] + "x", "x" + long[1:], strings.Repeat("x", maxRecent+1), long, "a\nb\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, date, date); err != nil {
			t.Fatal(err)
		}
		h.mu.Lock()
		got, err := h.fromDisk("a.txt")
		size := h.recentSize
		h.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		want := newDocument("a.txt", content)
		if got.Text.Text() != want.Text.Text() || got.Text.Len() != want.Text.Len() || got.Sum != want.Sum || got.Bytes != want.Bytes || got.bom != want.bom {
			t.Errorf("file %d, %.20q, read after %.20q: %d lines, %.20q", i, content, before, got.Text.Len(), got.Text.Text())
		}
		if got.binary != strings.Contains(content, "\x00") || got.info == nil {
			t.Errorf("file %d, %.20q: binary is %v", i, content, got.binary)
		}
		if want := len(content); size != want && want <= maxRecent || size > maxRecent {
			t.Errorf("file %d, %.20q: %d bytes are remembered", i, content, size)
		}
		before = content
	}
}

// TestRemember sees what is remembered stay within its limit.
func TestRemember(t *testing.T) {
	h := &Hub{recent: map[string]recent{}}
	for i := range 100 {
		h.remember(string(rune('a'+i%26)), strings.Repeat("x", i*maxRecent/60), Document{})
		sum := 0
		for _, r := range h.recent {
			sum += len(r.content)
		}
		if h.recentSize != sum || sum > maxRecent {
			t.Fatalf("after %d: %d bytes are remembered, said to be %d, at most %d", i, sum, h.recentSize, maxRecent)
		}
	}
}

func FuzzComparison(f *testing.F) {
	f.Add("known", "known", 2)
	f.Add("known", "know", 3)
	f.Add("known", "known!", 5)
	f.Add("", "", 1)
	f.Fuzz(func(t *testing.T, known, content string, chunk int) {
		c := comparison{known: known}
		for rest := content; rest != ""; {
			n := min(max(chunk, 1), len(rest))
			if written, err := c.Write([]byte(rest[:n])); written != n || err != nil {
				t.Fatalf("Write: %d, %v", written, err)
			}
			rest = rest[n:]
		}
		if got, want := c.equal(), known == content && known != ""; got != want {
			t.Errorf("%q beside %q: equal %v", content, known, got)
		}
		if got := c.String(); got != content {
			t.Errorf("%q beside %q: String is %q", content, known, got)
		}
	})
}
