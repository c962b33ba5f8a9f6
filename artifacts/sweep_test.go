package artifacts_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts"
)

func never(string, time.Time) bool { return false }

func wantRemoved(t *testing.T, artifactCount int, bytes int64) func(artifacts.Removed, error) {
	t.Helper()
	return func(got artifacts.Removed, err error) {
		t.Helper()
		if want := (artifacts.Removed{Artifacts: artifactCount, Bytes: bytes}); got != want || err != nil {
			t.Errorf("removed %+v, want %+v, %v", got, want, err)
		}
	}
}

// TestClean: a person cleans a session, whoever made its artifacts, but not
// those that are read (C-64).
func TestClean(t *testing.T) {
	root := t.TempDir()
	server, cli := open(t, root, artifacts.Options{}), open(t, root, artifacts.Options{Detached: true})
	reading, err := server.Get("s", mustPut(t, server, "s", "12345").ID)
	if err != nil {
		t.Fatal(err)
	}
	mustPut(t, server, "s", "123")
	mustPut(t, cli, "s", "1")
	other := mustPut(t, server, "t", "other")
	wantRemoved(t, 2, 4)(cli.Clean("s"))
	if got, err := spanOf(reading, reading.All()); got != "12345" || err != nil {
		t.Error(got, err)
	}
	reading.Close()
	wantRemoved(t, 1, 5)(cli.Clean("s"))
	wantRemoved(t, 0, 0)(cli.Clean("s"))
	mustRead(t, server, "t", other.ID, "other")
	wantRemoved(t, 1, 5)(cli.Clean("t"))
	gone(t, root)
	// The server lives on, and others still see that.
	info := mustPut(t, server, "s", "new")
	wantRemoved(t, 0, 0)(cli.Sweep(never))
	mustRead(t, cli, "s", info.ID, "new")
}

// TestEnd: the end of a session takes its artifacts, also those that are read,
// but not those of a store that lives (FR-053, C-62).
func TestEnd(t *testing.T) {
	root := t.TempDir()
	one, two := open(t, root, artifacts.Options{}), open(t, root, artifacts.Options{})
	dead := open(t, root, artifacts.Options{})
	mine := mustPut(t, one, "s", "mine")
	theirs := mustPut(t, two, "s", "theirs")
	mustPut(t, dead, "s", "dead")
	if _, err := dead.Close(true); err != nil {
		t.Fatal(err)
	}
	reading, err := one.Get("s", mine.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Close()
	wantRemoved(t, 2, 8)(one.End("s"))
	if got, err := spanOf(reading, reading.All()); got != "mine" || err != nil {
		t.Error(got, err)
	}
	mustRead(t, one, "s", theirs.ID, "theirs")
	wantRemoved(t, 0, 0)(one.Close(false))
	wantRemoved(t, 1, 6)(two.End("s"))
	gone(t, root)
}

// TestSweep: what is left over goes, what somebody has stays (C-61).
func TestSweep(t *testing.T) {
	root := t.TempDir()
	now := newClock()
	opts := artifacts.Options{Now: now.Now}
	live, dead := open(t, root, opts), open(t, root, opts)
	detached := open(t, root, artifacts.Options{Now: now.Now, Detached: true})
	path := func(name string) string { return filepath.Join(root, folder, name) }

	living := mustPut(t, live, "s", "living")
	mustPut(t, dead, "s", "dead")
	old := mustPut(t, detached, "old", "old")
	now.pass(time.Hour)
	retrieved := mustPut(t, detached, "new", "new")
	mustPut(t, detached, "new", "newer")
	now.pass(time.Hour)
	mustRead(t, detached, "new", retrieved.ID, "new")
	writing, err := live.Create("s", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(writing, "writing"); err != nil {
		t.Fatal(err)
	}
	if _, err := dead.Close(true); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		".tmp-art_1_a":           "temp",
		".tmp-art_1_a.meta.json": "temp",
		"art_1_b.txt":            "no sidecar",
		"art_1_c.meta.json":      "no content, and damaged",
		"art_1_d.meta.json":      "damaged",
		"art_1_d.txt":            "damaged",
		living.ID + ".json":      "not its content",
		"owner-abcd1234.lock":    "",
		"owner-x":                "foreign",
		"notes.txt":              "foreign",
		"art_1_e.exe":            "foreign",
	} {
		if err := os.WriteFile(path(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	half := mustPut(t, detached, "half", "half")
	mustRemove(t, path(half.ID+".txt"))

	asked := map[string]time.Duration{}
	removed, err := live.Sweep(func(session string, latest time.Time) bool {
		asked[session] = now.Now().Sub(latest)
		return session == "old"
	})
	if diff := cmp.Diff(map[string]time.Duration{"old": 2 * time.Hour, "new": 0, "half": 0}, asked); diff != "" {
		t.Errorf("sessions' age (-want +got):\n%s", diff)
	}
	if removed.Artifacts != 4 || err != nil {
		t.Errorf("removed %+v, %v", removed, err)
	}
	var left []string
	for _, name := range names(t, root) {
		name = strings.NewReplacer(living.ID, "LIVING", retrieved.ID, "RETRIEVED", writing.ID(), "WRITING").Replace(name)
		if !strings.HasPrefix(name, "art_17") && !strings.HasPrefix(name, "owner-") || name == "owner-x" {
			left = append(left, name)
		}
	}
	want := []string{
		".tmp-WRITING", ".tmp-WRITING.meta.json", "LIVING.meta.json", "LIVING.txt", "RETRIEVED.meta.json", "RETRIEVED.txt",
		"art_1_d.meta.json", "art_1_d.txt", "art_1_e.exe", "lock", "notes.txt", "owner-x",
	}
	slices.Sort(want)
	slices.Sort(left)
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	if _, err := live.Get("old", old.ID); !is[*artifacts.NotFoundError](err) {
		t.Error(err)
	}
	wantRemoved(t, 0, 0)(live.Sweep(never))
	info, _, err := writing.Commit("", "")
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, live, "s", info.ID, "writing")
}

// TestCleanAll: everything of the store's goes, but what is being written and
// what is not the store's (C-64).
func TestCleanAll(t *testing.T) {
	root := t.TempDir()
	s, other := open(t, root, artifacts.Options{}), open(t, root, artifacts.Options{})
	mustPut(t, s, "s", "123")
	reading, err := other.Get("t", mustPut(t, other, "t", "12345").ID)
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Close()
	writing, err := other.Create("t", artifacts.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		".tmp-art_1_a": "1", "art_1_b.txt": "1", "art_1_c.meta.json": "{", "owner-abcd1234.lock": "", "mine.txt": "mine",
	} {
		if err := os.WriteFile(filepath.Join(root, folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wantRemoved(t, 3, 10)(s.CleanAll())
	if diff := cmp.Diff([]string{".tmp-" + writing.ID(), ".tmp-" + writing.ID() + ".meta.json", "lock", "mine.txt"}, names(t, root)); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	info, _, err := writing.Commit("", "")
	if err != nil {
		t.Fatal(err)
	}
	wantRemoved(t, 0, 0)(s.Sweep(never)) // its owner lives
	mustRead(t, other, "t", info.ID, "")
	mustRemove(t, filepath.Join(root, folder, "mine.txt"))
	wantRemoved(t, 1, 0)(s.CleanAll())
	gone(t, root)
}
