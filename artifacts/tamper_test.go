package artifacts_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/artifacts"
)

func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func replaceIn(t *testing.T, path, old, new string) {
	t.Helper()
	edit(t, path, func(data []byte) []byte {
		if !bytes.Contains(data, []byte(old)) {
			t.Fatalf("no %q in %s", old, data)
		}
		return bytes.Replace(data, []byte(old), []byte(new), 1)
	})
}

const trueContent = "the true content\n"

// TestTampering: content is served only as it was made (THR-5.2, THR-5.4,
// C-73). Each change is looked at by the store that made the artifact, after it
// has read it before, and by two others.
func TestTampering(t *testing.T) {
	const content, other = trueContent, "the falsecontent\n"
	sum := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
	for _, test := range []struct {
		name   string
		tamper func(t *testing.T, file, side, file2, side2 string)
		maker  string // the error, in part; "": 404
		keyed  string // of another process with the key
		plain  string // of one without; "served" if it cannot know
	}{
		{"a byte", func(t *testing.T, file, _, _, _ string) {
			edit(t, file, func(data []byte) []byte { data[3] ^= 1; return data })
		}, "SHA-256", "SHA-256", "SHA-256"},
		{"a byte, and the old time", func(t *testing.T, file, _, _, _ string) {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			edit(t, file, func(data []byte) []byte { data[3] ^= 1; return data })
			if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		}, "SHA-256", "SHA-256", "SHA-256"},
		{"cut", func(t *testing.T, file, _, _, _ string) {
			edit(t, file, func(data []byte) []byte { return data[:5] })
		}, "its file has 5 bytes, not 17", "5 bytes", "5 bytes"},
		{"longer", func(t *testing.T, file, _, _, _ string) {
			edit(t, file, func(data []byte) []byte { return append(data, '!') })
		}, "its file has 18 bytes, not 17", "18 bytes", "18 bytes"},
		{"content exchanged", func(t *testing.T, file, _, file2, _ string) { exchange(t, file, file2) },
			"SHA-256", "SHA-256", "SHA-256"},
		{"sidecars exchanged", func(t *testing.T, _, side, _, side2 string) { exchange(t, side, side2) },
			"contradicts itself", "contradicts itself", "contradicts itself"},
		{"content with its hash", func(t *testing.T, file, side, _, _ string) {
			edit(t, file, func([]byte) []byte { return []byte(other) })
			replaceIn(t, side, sum(content), sum(other))
		}, "its description is not what was written", "not signed", "served"},
		{"source", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, "go test", "go vet") },
			"not what was written", "not signed", "served"},
		{"session", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, `"session": "s"`, `"session": "t"`) },
			"not what was written", "not signed", ""},
		{"evicted", func(t *testing.T, _, side, _, _ string) {
			replaceIn(t, side, `"evicted": false`, `"evicted": true`)
		}, "(evicted by session quota)", "not signed", "(evicted by session quota)"},
		{"other id", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, `"id": "art_1`, `"id": "art_2`) },
			"contradicts itself", "contradicts itself", "contradicts itself"},
		{"other type", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, "text/plain", "text/x-diff") },
			"not what was written", "not signed", "its content is missing"},
		{"negative size", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, `"size": 17`, `"size": -17`) },
			"contradicts itself", "contradicts itself", "contradicts itself"},
		{"other size", func(t *testing.T, _, side, _, _ string) {
			replaceIn(t, side, `"stored": 17`, `"stored": 18`)
		}, "contradicts itself", "contradicts itself", "contradicts itself"},
		{"owner with a path", func(t *testing.T, _, side, _, _ string) {
			edit(t, side, func(data []byte) []byte {
				at := bytes.Index(data, []byte(`"owner": "`)) + len(`"owner": "`)
				copy(data[at:], "../../..")
				return data
			})
		}, "contradicts itself", "contradicts itself", "contradicts itself"},
		{"version", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, `"version": 1`, `"version": 2`) },
			"version 2, not 1", "version 2", "version 2"},
		{"another field", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, `"size"`, `"extra": 1, "size"`) },
			"cannot be read", "cannot be read", "cannot be read"},
		{"a field twice", func(t *testing.T, _, side, _, _ string) { replaceIn(t, side, `"size"`, `"SIZE": 1, "size"`) },
			"contradicts itself", "contradicts itself", "contradicts itself"},
		{"something behind", func(t *testing.T, _, side, _, _ string) {
			edit(t, side, func(data []byte) []byte { return append(data, "{}"...) })
		}, "contradicts itself", "contradicts itself", "contradicts itself"},
		{"no JSON", func(t *testing.T, _, side, _, _ string) {
			edit(t, side, func([]byte) []byte { return []byte("\x00") })
		}, "cannot be read", "cannot be read", "cannot be read"},
		{"empty sidecar", func(t *testing.T, _, side, _, _ string) {
			edit(t, side, func([]byte) []byte { return nil })
		}, "cannot be read", "cannot be read", "cannot be read"},
		{"huge sidecar", func(t *testing.T, _, side, _, _ string) {
			if err := os.Truncate(side, 1<<40); err != nil {
				t.Fatal(err)
			}
		}, "more than 65536 bytes", "more than", "more than"},
		{"content missing", func(t *testing.T, file, _, _, _ string) { mustRemove(t, file) },
			"its content is missing", "its content is missing", "its content is missing"},
		{"sidecar missing", func(t *testing.T, _, side, _, _ string) { mustRemove(t, side) }, "", "", ""},
		{"all missing", func(t *testing.T, file, side, _, _ string) { mustRemove(t, file, side) }, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, look := range []struct {
				by, want string
				key      []byte
			}{
				{"maker", test.maker, nil},
				{"plain", test.plain, nil},
				{"keyed", test.keyed, []byte("a key")},
			} {
				tamperedWith(t, look.key, look.by, look.want, test.tamper)
			}
		})
	}
}

// tamperedWith wants that error of a store that is the maker of what is
// tampered with or, by its name, another.
func tamperedWith(t *testing.T, key []byte, by, want string, tamper func(t *testing.T, file, side, file2, side2 string)) {
	root := t.TempDir()
	maker := open(t, root, artifacts.Options{Key: key, Now: later})
	info, info2 := mustPut(t, maker, "s", trueContent), mustPut(t, maker, "s", strings.ToUpper(trueContent))
	for range 2 {
		mustRead(t, maker, "s", info.ID, trueContent)
	}
	path := func(info artifacts.Info, suffix string) string {
		return filepath.Join(root, folder, info.ID+suffix)
	}
	tamper(t, path(info, ".txt"), path(info, ".meta.json"), path(info2, ".txt"), path(info2, ".meta.json"))
	reader := maker
	if by != "maker" {
		reader = open(t, root, artifacts.Options{Key: key})
	}
	got, err := read(reader, "s", info.ID)
	missing := want == "" || strings.HasPrefix(want, "(evicted")
	switch {
	case want == "served":
		if err != nil {
			t.Errorf("%s: %v", by, err)
		}
	case got != "" || err == nil || !strings.Contains(err.Error(), want),
		is[*artifacts.NotFoundError](err) != missing, is[*artifacts.IntegrityError](err) == missing:
		t.Errorf("%s reads %q, %v", by, got, err)
	}
	if err != nil && strings.Contains(err.Error(), root) {
		t.Errorf("an absolute path in %q", err)
	}
	if _, err := reader.Export("s", info.ID, filepath.Join(root, "out"), false); err == nil && want != "served" {
		t.Errorf("%s exports it", by)
	}
	if _, _, err := reader.List("", "", 0); err != nil {
		t.Error(err)
	}
	if _, err := reader.CleanAll(); err != nil {
		t.Error(err)
	}
	gone(t, root)
}

func exchange(t *testing.T, a, b string) {
	t.Helper()
	dataA, errA := os.ReadFile(a)
	dataB, errB := os.ReadFile(b)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	edit(t, a, func([]byte) []byte { return dataB })
	edit(t, b, func([]byte) []byte { return dataA })
}

func mustRemove(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWrongKey: another key, or none when the artifact was made, is refused.
func TestWrongKey(t *testing.T) {
	root := t.TempDir()
	signed := mustPut(t, open(t, root, artifacts.Options{Key: []byte("a")}), "s", "x")
	unsigned := mustPut(t, open(t, root, artifacts.Options{}), "s", "x")
	for id, key := range map[string]string{signed.ID: "b", unsigned.ID: "a"} {
		if _, err := read(open(t, root, artifacts.Options{Key: []byte(key)}), "s", id); !is[*artifacts.IntegrityError](err) {
			t.Errorf("with key %q: %v", key, err)
		}
	}
	mustRead(t, open(t, root, artifacts.Options{Key: []byte("a")}), "s", signed.ID, "x")
}

// TestRemembered: a file that does not show that it changed is not hashed
// again, unless its last change is so recent that another would not show.
func TestRemembered(t *testing.T) {
	for name, test := range map[string]struct {
		now  func() time.Time
		want bool
	}{"fresh": {newClock().Now, true}, "settled": {later, false}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), artifacts.Options{Now: test.now})
			info := mustPut(t, s, "s", strings.Repeat("x", 1<<20))
			const times = 10
			var before, after runtime.MemStats
			for i := range 1 + times {
				if i == 1 {
					runtime.ReadMemStats(&before)
				}
				a, err := s.Get("s", info.ID)
				if err != nil {
					t.Fatal(err)
				}
				a.Close()
			}
			runtime.ReadMemStats(&after)
			// To hash takes a buffer of 256 KB.
			each := (after.TotalAlloc - before.TotalAlloc) / times
			if hashed := each > 200<<10; hashed != test.want {
				t.Errorf("each takes %d bytes", each)
			}
		})
	}
}

// TestChangedWhileRead: who reads learns that the file is another one.
func TestChangedWhileRead(t *testing.T) {
	for name, change := range map[string]func(*testing.T, string){
		"shorter": func(t *testing.T, path string) {
			if err := os.Truncate(path, 10); err != nil {
				t.Fatal(err)
			}
		},
		"other": func(t *testing.T, path string) {
			edit(t, path, func(data []byte) []byte { return bytes.ToUpper(data) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			s := open(t, root, artifacts.Options{})
			info := mustPut(t, s, "s", strings.Repeat("line\n", 100_000))
			a, err := s.Get("s", info.ID)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			r, err := a.Reader(a.All())
			if err != nil {
				t.Fatal(err)
			}
			change(t, filepath.Join(root, info.Path))
			if _, err := io.Copy(io.Discard, r); !is[*artifacts.IntegrityError](err) {
				t.Error(err)
			}
		})
	}
}

// TestBomb: of compressed content no more is read than the sidecar says.
func TestBomb(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{Compress: true})
	large := mustPut(t, s, "s", strings.Repeat("x", 50<<20))
	small := mustPut(t, s, "s", strings.Repeat("x", 2<<20))
	data, err := os.ReadFile(filepath.Join(root, large.Path))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.Stat(filepath.Join(root, small.Path))
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(root, small.Path), func([]byte) []byte { return data })
	replaceIn(t, filepath.Join(root, folder, small.ID+".meta.json"),
		fmt.Sprintf(`"stored": %d`, stored.Size()), fmt.Sprintf(`"stored": %d`, len(data)))
	_, err = read(open(t, root, artifacts.Options{}), "s", small.ID)
	if !is[*artifacts.IntegrityError](err) || !strings.Contains(err.Error(), "length") {
		t.Error(err)
	}
}
