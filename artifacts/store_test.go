package artifacts_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts"
)

const folder = ".acode/artifacts"

// open returns a store of the root. Where opts has no clock, it is the true
// one.
func open(t testing.TB, root string, opts artifacts.Options) *artifacts.Store {
	t.Helper()
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return openIn(dir, opts)
}

func openIn(dir *os.Root, opts artifacts.Options) *artifacts.Store {
	opts.Folder = folder
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return artifacts.Open(dir, opts)
}

// clock is a clock that stands still.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.UnixMilli(1_730_000_000_000)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// later is a clock that is ahead of that of the files, so that they count as
// long unchanged.
func later() time.Time { return time.Now().Add(time.Hour) }

// put makes an artifact.
func put(s *artifacts.Store, session, mime, content string) (artifacts.Info, []artifacts.Info, error) {
	w, err := s.Create(session, artifacts.Meta{Tool: "run_command", Source: "go test ./..."})
	if err != nil {
		return artifacts.Info{}, nil, err
	}
	if _, err := io.WriteString(w, content); err != nil {
		return artifacts.Info{}, nil, err
	}
	return w.Commit(mime, "a summary")
}

func mustPut(t testing.TB, s *artifacts.Store, session, content string) artifacts.Info {
	t.Helper()
	info, _, err := put(s, session, "text/plain", content)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// read returns the whole content of an artifact.
func read(s *artifacts.Store, session, id string) (string, error) {
	a, err := s.Get(session, id)
	if err != nil {
		return "", err
	}
	defer a.Close()
	return spanOf(a, a.All())
}

func spanOf(a *artifacts.Artifact, span artifacts.Span) (string, error) {
	r, err := a.Reader(span)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(r)
	return string(data), err
}

func mustRead(t *testing.T, s *artifacts.Store, session, id, want string) {
	t.Helper()
	got, err := read(s, session, id)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatalf("%d bytes of content differ from the %d written", len(got), len(want))
	}
}

// names lists the store's folder, and is nil if there is none.
func names(t *testing.T, root string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// noTemp fails if something temporary is left.
func noTemp(t *testing.T, root string) {
	t.Helper()
	for _, name := range names(t, root) {
		if strings.HasPrefix(name, ".tmp-") {
			t.Errorf("%s is left", name)
		}
	}
}

// gone fails unless the folder is, and .acode is not.
func gone(t *testing.T, root string) {
	t.Helper()
	if left := names(t, root); left != nil {
		t.Errorf("the folder is left with %q", left)
	}
	if _, err := os.Lstat(filepath.Join(root, ".acode")); err != nil {
		t.Error(err)
	}
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// TestRoundTrip: what is written comes back, described (FR-045 to FR-049,
// DESC-25, DESC-27, AC-104).
func TestRoundTrip(t *testing.T) {
	for _, test := range []struct {
		mime, content, extension string
		characters               int64
		lines                    int
	}{
		{"text/plain", "one\ntwo\r\nthree\rfour", ".txt", 19, 4},
		{"text/plain; charset=utf-8", "", ".txt", 0, 0},
		{"", "x\n", ".txt", 2, 1},
		{"application/json", `{"a": "ü"}`, ".json", 10, 1},
		{"application/problem+json", "{}", ".json", 2, 1},
		{"application/xml", "<a/>", ".xml", 4, 1},
		{"image/svg+xml", "<a/>", ".xml", 4, 1},
		{"text/x-diff", "-a\n+b\n", ".diff", 6, 2},
		{"application/octet-stream", "\xff\x00", ".bin", 2, 1},
		{"image/png", "\x89PNG", ".bin", 4, 1},
		{"text/plain", strings.Repeat("zeile ä\r\n", 300_000), ".txt", 2_700_000, 300_000},
	} {
		for _, compress := range []bool{false, true} {
			root := t.TempDir()
			now := newClock()
			s := open(t, root, artifacts.Options{Now: now.Now, Compress: compress})
			info, evicted, err := put(s, "s", test.mime, test.content)
			if err != nil {
				t.Fatal(err)
			}
			want := artifacts.Info{
				ID: info.ID, Session: "s", Tool: "run_command", Type: test.mime, Source: "go test ./...", Summary: "a summary",
				Created: now.Now().UTC(), Size: int64(len(test.content)), Characters: test.characters, Lines: test.lines,
				SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(test.content))),
				Path:   folder + "/" + info.ID + test.extension,
			}
			if diff := cmp.Diff(want, info); diff != "" || evicted != nil {
				t.Errorf("%q (-want +got):\n%s%v", test.mime, diff, evicted)
			}
			mustRead(t, s, "s", info.ID, test.content)
			another := open(t, root, artifacts.Options{Detached: true, Compress: !compress})
			mustRead(t, another, "s", info.ID, test.content)
			mustRead(t, another, "", info.ID, test.content)
			checkModes(t, root)
			if compress && len(test.content) > 1<<20 {
				if file, err := os.Stat(filepath.Join(root, info.Path)); err != nil || file.Size() > info.Size/10 {
					t.Errorf("%d bytes on disk of %d, %v", file.Size(), info.Size, err)
				}
			}
		}
	}
}

func checkModes(t *testing.T, root string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return // it has no modes
	}
	err := filepath.WalkDir(filepath.Join(root, ".acode"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", d.Name(), got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestUntouched: nothing is made before the first artifact, and Prepare is
// called before that.
func TestUntouched(t *testing.T) {
	root := t.TempDir()
	prepared := 0
	s := open(t, root, artifacts.Options{Prepare: func() error {
		prepared++
		return os.MkdirAll(filepath.Join(root, ".acode"), 0o755)
	}})
	if _, err := s.Get("s", "art_1_a"); !is[*artifacts.NotFoundError](err) {
		t.Error(err)
	}
	if infos, next, err := s.List("", "", 0); len(infos) != 0 || next != "" || err != nil {
		t.Error(infos, next, err)
	}
	for _, remove := range []func() (artifacts.Removed, error){
		func() (artifacts.Removed, error) { return s.Clean("s") },
		func() (artifacts.Removed, error) { return s.End("s") },
		s.CleanAll,
		func() (artifacts.Removed, error) { return s.Sweep(func(string, time.Time) bool { return true }) },
	} {
		if removed, err := remove(); removed != (artifacts.Removed{}) || err != nil {
			t.Error(removed, err)
		}
	}
	if entries, _ := os.ReadDir(root); len(entries) > 0 || prepared > 0 {
		t.Errorf("there is %v, prepared %d times", entries, prepared)
	}
	mustPut(t, s, "s", "x")
	mustPut(t, s, "s", "y")
	if prepared != 1 {
		t.Errorf("prepared %d times", prepared)
	}
	checkModes(t, root) // also of a folder that was too open
	failing := open(t, t.TempDir(), artifacts.Options{Prepare: func() error { return errors.New("no") }})
	if _, err := failing.Create("s", artifacts.Meta{}); err == nil || err.Error() != "creating an artifact: no" {
		t.Error(err)
	}
}

// inputForm is that of ids a caller may send, which old versions may have made.
var inputForm = regexp.MustCompile(`^art_[0-9]+_[a-zA-Z0-9]+$`)

var idForm = regexp.MustCompile(`^art_[0-9]+_[0-9a-z]{8}$`)

// TestID: ids carry the time of creation and nothing else (FR-047, C-57).
func TestID(t *testing.T) {
	now := newClock()
	s := open(t, t.TempDir(), artifacts.Options{Now: now.Now})
	count := map[byte]int{}
	for range 50 {
		w, err := s.Create("s", artifacts.Meta{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		prefix := fmt.Sprintf("art_%d_", now.Now().UnixMilli())
		if !idForm.MatchString(w.ID()) || !strings.HasPrefix(w.ID(), prefix) {
			t.Errorf("id %q", w.ID())
		}
		for i := range 8 {
			count[w.ID()[len(prefix)+i]]++
		}
	}
	if len(count) < 30 {
		t.Errorf("400 random characters are of %d kinds", len(count))
	}
}

// TestClash: an id that is taken, by an artifact or by one being written, is
// made anew (C-168).
func TestClash(t *testing.T) {
	system := rand.Reader
	t.Cleanup(func() { rand.Reader = system })
	root := t.TempDir()
	s := open(t, root, artifacts.Options{Now: newClock().Now, Detached: true})
	source := func(bytes ...byte) {
		var data []byte
		for _, b := range bytes {
			data = append(data, slices.Repeat([]byte{b}, 16)...)
		}
		rand.Reader = io.MultiReader(strings.NewReader(string(data)), system)
	}
	source(1)
	first := mustPut(t, s, "s", "first")
	source(1, 1, 2)
	writing, err := s.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	source(2, 1, 252, 3) // 252 is of no use: 36 does not divide 256
	third := mustPut(t, s, "s", "third")
	for id, want := range map[string]string{first.ID: "11111111", writing.ID(): "22222222", third.ID: "33333333"} {
		if !strings.HasSuffix(id, want) {
			t.Errorf("id %s, want one with %s", id, want)
		}
	}
	if _, err := writing.Write([]byte("second")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := writing.Commit("application/json", ""); err != nil {
		t.Fatal(err)
	}
	mustRead(t, s, "s", first.ID, "first")
	mustRead(t, s, "s", writing.ID(), "second")
	noTemp(t, root)
}

// TestMalformed: what is no id reaches no file (THR-2, AC-102, AC-103).
func TestMalformed(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{})
	mustPut(t, s, "s", "x")
	if err := os.WriteFile(filepath.Join(root, "art_1_a.meta.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		id     string
		wanted bool // as an id
	}{
		{"art_1_a", true},
		{"art_1699234567890_a1b2c3", true},
		{"art_0_Zz9", true},
		{"art_99999999999999999999999_x", true},
		{"", false},
		{"art", false},
		{"art_", false},
		{"art__a", false},
		{"art_1_", false},
		{"art_1", false},
		{"ART_1_a", false},
		{"art_1_a_b", false},
		{"art_1_a.json", false},
		{"art_-1_a", false},
		{"art_+1_a", false},
		{"art_1_ä", false},
		{"art_1_a\x00", false},
		{"art_1_a\n", false},
		{" art_1_a", false},
		{"../art_1_a", false},
		{"../../art_1_a", false},
		{"art_1_a/../../x", false},
		{`art_1_a\..\x`, false},
		{"/etc/passwd", false},
		{"/art_1_a", false},
		{"art_1_/a", false},
		{"art_1_..", false},
		{"art_1_%2e%2e", false},
		{"art_١_a", false},
		{"C:art_1_a", false},
		{"art_1_*", false},
		{"lock", false},
		{"art_1_" + strings.Repeat("a", 100), false},
	} {
		_, err := s.Get("", test.id)
		_, errExport := s.Export("", test.id, filepath.Join(root, "out"), true)
		for _, err := range []error{err, errExport} {
			if is[*artifacts.IDError](err) == test.wanted || is[*artifacts.NotFoundError](err) != test.wanted {
				t.Errorf("%q: %v", test.id, err)
			}
		}
	}
}

// TestSession: an artifact is another session's as if it was not there
// (DESC-29, DESC-34, C-72).
func TestSession(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{})
	info := mustPut(t, s, "s", "x")
	for _, store := range []*artifacts.Store{s, open(t, root, artifacts.Options{})} {
		_, err := store.Get("t", info.ID)
		_, errMissing := store.Get("t", "art_1_a")
		if !is[*artifacts.NotFoundError](err) || strings.ReplaceAll(err.Error(), info.ID, "art_1_a") != errMissing.Error() {
			t.Errorf("%v, and without the artifact %v", err, errMissing)
		}
	}
	for _, session := range []string{"", "\xff", strings.Repeat("s", 513)} {
		if _, err := s.Create(session, artifacts.Meta{}); err == nil {
			t.Errorf("session %q is accepted", session)
		}
	}
}

// TestStrange: what a caller says of an artifact may be any text.
func TestStrange(t *testing.T) {
	s := open(t, t.TempDir(), artifacts.Options{})
	session := "../\x00\u2028ü\"</script>\\"
	w, err := s.Create(session, artifacts.Meta{Tool: "\xff\n", Source: strings.Repeat("\x01", 100_000)})
	if err != nil {
		t.Fatal(err)
	}
	made, _, err := w.Commit("text/\x00../../x", strings.Repeat("€", 1000))
	if err != nil {
		t.Fatal(err)
	}
	infos, _, err := s.List(session, "", 0)
	if err != nil || len(infos) != 1 || infos[0] != made {
		t.Errorf("listed %v, %v", infos, err)
	}
	if made.Tool != "\uFFFD\n" || len(made.Source) != 4096 || made.Path != folder+"/"+made.ID+".txt" {
		t.Errorf("described as %+v", made)
	}
	mustRead(t, s, session, made.ID, "")
}

// TestMax: content that reaches the limit is refused and leaves nothing
// (THR-3.1, THR-3.2, C-03).
func TestMax(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{})
	for size, refused := range map[int]bool{9: false, 10: true, 11: true} {
		w, err := s.Create("s", artifacts.Meta{Max: 10})
		if err != nil {
			t.Fatal(err)
		}
		var errWrite error
		for range size {
			if _, errWrite = w.Write([]byte("x")); errWrite != nil {
				break
			}
		}
		_, _, err = w.Commit("", "")
		if is[*artifacts.TooLargeError](err) != refused || is[*artifacts.TooLargeError](errWrite) != refused {
			t.Errorf("%d bytes: %v, then %v", size, errWrite, err)
		}
		w.Abort() // does nothing
	}
	if infos, _, err := s.List("s", "", 0); len(infos) != 1 || err != nil {
		t.Errorf("%v are left, %v", infos, err)
	}
	noTemp(t, root)
}

// TestAbort: nothing is left, also of one whose temporary file is gone.
func TestAbort(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{})
	w, err := s.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	noTemp(t, root)
	if _, err := w.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, _, err := w.Commit("", ""); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if w, err = s.Create("s", artifacts.Meta{}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(root, ".acode")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Commit("", ""); err == nil {
		t.Error("what was removed is committed")
	}
	if names(t, root) != nil {
		t.Error("the folder is made for nothing")
	}
	mustPut(t, s, "s", "again")
}

// TestClose: a store takes its artifacts with it, or keeps them; after that it
// makes none (FR-053, DESC-26, C-164).
func TestClose(t *testing.T) {
	root := t.TempDir()
	s := open(t, root, artifacts.Options{})
	mustPut(t, s, "s", "12345")
	late, err := s.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	kept := open(t, root, artifacts.Options{})
	info := mustPut(t, kept, "s", "kept")
	if removed, err := s.Close(false); removed != (artifacts.Removed{Artifacts: 1, Bytes: 5}) || err != nil {
		t.Error(removed, err)
	}
	if _, err := s.Create("s", artifacts.Meta{}); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, _, err := late.Commit("", ""); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if removed, err := kept.Close(true); removed != (artifacts.Removed{}) || err != nil {
		t.Error(removed, err)
	}
	next := open(t, root, artifacts.Options{})
	mustRead(t, next, "s", info.ID, "kept")
	if removed, err := next.Sweep(func(string, time.Time) bool { return false }); removed.Artifacts != 1 || err != nil {
		t.Error(removed, err)
	}
	gone(t, root)
	if removed, err := next.Close(false); removed != (artifacts.Removed{}) || err != nil {
		t.Error(removed, err)
	}
}
