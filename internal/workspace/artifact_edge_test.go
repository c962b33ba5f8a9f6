package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// TestReferenceCounts holds that what a reference shows of a text and what it
// omits are the whole text, where preview and end meet or part a line.
func TestReferenceCounts(t *testing.T) {
	const small = "tools: {truncation: {artifact_threshold: 5001}}"
	for _, tt := range []struct {
		name, settings, tool, text string
		shown                      int // characters
	}{
		{"preview and end apart", "", "execute_command", strings.Repeat("line 1234\n", 6000), 500 + 1500},
		{"preview and end meet", small, "execute_command", strings.Repeat("line 1234\n", 520), 500 + 1500},
		{"one line", "", "execute_command", strings.Repeat("x", 60_000), 500 + 5000},
		{"one line as a stream", "", "execute_command", strings.Repeat("x", 600_000), 500 + 5000},
		{"one line that both ends cover", small, "execute_command", strings.Repeat("x", 5200), 5200},
		{"long lines", "", "execute_command", "short\n" + strings.Repeat(strings.Repeat("x", 12_000)+"\n", 6), -1},
		{"two lines", "", "execute_command", strings.Repeat("x", 60_000) + "\n" + strings.Repeat("y", 60_000), -1},
		{"no end", "", "x", strings.Repeat("größe\n", 10_000), 500},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := shape(t, configured(tt.settings), workspace.Output{Tool: tt.tool, Session: "s"}, tt.text)
			if err != nil || r.Artifact == nil {
				t.Fatalf("%+v, %v", r.Artifact, err)
			}
			omitted, lines, last := 0, 0, 0
			for i, o := range r.Omissions {
				if o.Characters <= 0 || o.End <= o.Start || o.Lines.First > o.Lines.Last || i > 0 && o.Start < last {
					t.Errorf("omission %d is %+v", i, o)
				}
				omitted, lines, last = omitted+o.Characters, lines+o.Lines.Len(), o.End
			}
			if omitted != r.OmittedCharacters || tt.shown >= 0 && r.OriginalCharacters-omitted != tt.shown {
				t.Errorf("omitted %d, said to be %d, of %d; want %d shown", omitted, r.OmittedCharacters, r.OriginalCharacters, tt.shown)
			}
			whole, before := 0, 0
			for _, s := range r.Result.Shown {
				if s.First <= before {
					t.Errorf("shown lines are %v", r.Result.Shown)
				}
				whole, before = whole+s.Len(), s.Last
			}
			if apart := len(r.Omissions) > 0; apart && whole+lines != r.Artifact.Lines { // else a line may be shown in two parts
				t.Errorf("%d lines whole and %d not, of %d", whole, lines, r.Artifact.Lines)
			}
		})
	}
}

// TestFailuresInThePreview are shown there, and not told again.
func TestFailuresInThePreview(t *testing.T) {
	for _, tool := range []string{"x", "execute_command"} {
		for _, n := range []int{6000, 60_000} { // in memory and as a stream
			r, err := shape(t, nil, workspace.Output{Tool: tool, Session: "s"}, "--- FAIL: TestFirst\n"+strings.Repeat("line 1234\n", n))
			if err != nil || r.FailureLines != 0 || strings.Contains(strings.SplitN(r.Content, "\n", 2)[1], "contains 1 failure") && tool == "x" {
				t.Errorf("%s, %d lines: %d failure lines left, %v", tool, n, r.FailureLines, err)
			}
		}
	}
}

// TestMaskedIntoTheThreshold has a text that is stored only if what stands for
// its secrets counts.
func TestMaskedIntoTheThreshold(t *testing.T) {
	s := strings.Repeat("password: ab1cd9\n", 199_950/17)
	r, err := shape(t, configured("tools: {truncation: {artifact_threshold: 200000}}"), workspace.Output{Tool: "x", Session: "s"}, s)
	if err != nil || r.Artifact != nil || r.Strategy != truncation.HeadTail {
		t.Errorf("cut by %q, artifact %v, %v", r.Strategy, r.Artifact, err)
	}
}

// TestSizeThatIsNone is that of files whose system does not know better, as
// those of /proc.
func TestSizeThatIsNone(t *testing.T) {
	h := open(t, t.TempDir(), workspace.Options{})
	s := strings.Repeat("line 1234\n", 40_000)
	r, err := h.Process(workspace.Output{Tool: "x", Session: "s", Content: strings.NewReader(s), Size: 0})
	if err != nil || r.Artifact == nil || r.Artifact.Size != int64(len(s)) {
		t.Errorf("%+v, %v", r.Artifact, err)
	}
}

// TestCutNeedsNoArtifact cuts what is not stored although nothing can be.
func TestCutNeedsNoArtifact(t *testing.T) {
	h := open(t, t.TempDir(), workspace.Options{Config: configured("tools: {truncation: {artifact_threshold: 300000, artifacts: {max_per_minute: 1}}}")})
	process := func(lines int) error {
		_, err := h.Process(workspace.Output{Tool: "x", Session: "s", Content: strings.NewReader(strings.Repeat("line 1234\n", lines)), Size: -1})
		return err
	}
	if err := process(35_000); err != nil {
		t.Fatal(err)
	}
	if err := process(20_000); err != nil {
		t.Errorf("what is only cut: %v", err)
	}
	if _, ok := errors.AsType[*artifacts.RateError](process(35_000)); !ok {
		t.Error("a second artifact in a minute is not refused")
	}
}

// TestReadWhileThePersonTypes stores what was read, and credits nothing of what
// it became.
func TestReadWhileThePersonTypes(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", long())
	h := open(t, root, workspace.Options{})
	ed := attach(t, h, "a.txt")
	r, err := h.ReadWaiting("s", "a.txt", workspace.Selection{}, func() { ed.line("a.txt", 3, "never shown\n") })
	if err != nil || r.Artifact == nil || len(r.Shown) != 0 {
		t.Fatalf("%+v, shown %v, %v", r.Artifact, r.Shown, err)
	}
	before := state(t, h, "s", "a.txt")
	if _, err := h.Retrieve("s", r.Artifact.ID, lines(1, 10), workspace.ForModel); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, state(t, h, "s", "a.txt")); diff != "" {
		t.Errorf("lines of what the file was are credited (-before +after):\n%s", diff)
	}
}

// TestSettingsChangeUnderAnArtifact reloads the configuration while artifacts
// are there.
func TestSettingsChangeUnderAnArtifact(t *testing.T) {
	start := func(t *testing.T) (h *workspace.Hub, root, id string) {
		root = t.TempDir()
		write(t, root, "a.txt", long())
		if err := os.Mkdir(filepath.Join(root, ".agent"), 0o755); err != nil {
			t.Fatal(err)
		}
		h = open(t, root, workspace.Options{OwnSessions: true})
		r, err := h.Read("s", "a.txt", workspace.Selection{})
		if err != nil {
			t.Fatal(err)
		}
		return h, root, r.Artifact.ID
	}
	t.Run("redaction is switched off", func(t *testing.T) {
		h, root, id := start(t)
		write(t, root, ".agent/config.yml", "tools: {redaction: {enabled: false}}\n")
		before := state(t, h, "s", "a.txt")
		p, err := h.Retrieve("s", id, lines(298, 302), workspace.ForModel)
		if err != nil || !strings.Contains(p.Content, "[REDACTED: ") {
			t.Fatalf("%q, %v", p.Content, err)
		}
		if after := state(t, h, "s", "a.txt"); after == before || strings.Contains(after, "298-302") {
			t.Errorf("a line shown masked is credited: %s", after)
		}
	})
	t.Run("another folder", func(t *testing.T) {
		h, root, id := start(t)
		write(t, root, ".agent/config.yml", "tools: {truncation: {artifacts: {storage_path: .acode/other}}}\n")
		if _, err := h.Retrieve("s", id, lines(1, 2), workspace.ForModel); err != nil {
			t.Error(err)
		}
		if removed, err := h.EndSession("s"); err != nil || removed.Artifacts != 1 {
			t.Errorf("the end of the session removes %+v, %v", removed, err)
		}
	})
	t.Run("kept at the end", func(t *testing.T) {
		h, root, _ := start(t)
		write(t, root, ".agent/config.yml", "tools: {truncation: {artifacts: {cleanup_on_exit: false}}}\n")
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if kept, _ := filepath.Glob(filepath.Join(root, ".acode", "artifacts", "art_*.txt")); len(kept) != 1 {
			t.Errorf("kept %v", kept)
		}
	})
}

// TestSessionEndedElsewhere has one process end the session of another's
// artifact (C-176).
func TestSessionEndedElsewhere(t *testing.T) {
	root := t.TempDir()
	h, other := open(t, root, workspace.Options{}), open(t, root, workspace.Options{})
	r, err := h.Process(workspace.Output{Tool: "x", Session: "s", Content: strings.NewReader(long()), Size: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.EndSession("s"); err != nil {
		t.Fatal(err)
	}
	for _, h := range []*workspace.Hub{h, other} {
		if _, err := h.Retrieve("s", r.Artifact.ID, lines(1, 2), workspace.ForModel); err == nil || !strings.Contains(err.Error(), "session ended") {
			t.Errorf("%v, want that its session ended", err)
		}
	}
	if _, err := h.Retrieve(workspace.AnySession, "art_1_a", workspace.Wanted{}, workspace.ForUser); err == nil || strings.Contains(err.Error(), "ended") {
		t.Errorf("of no session: %v", err)
	}
}
