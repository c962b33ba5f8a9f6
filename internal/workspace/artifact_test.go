package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// long is a text that is stored when it is read whole: 10 characters a line,
// and a secret in line 300.
func long() string {
	var b strings.Builder
	for i := 1; i <= 6000; i++ {
		if i == 300 {
			b.WriteString("password: hunter2secret\n")
			continue
		}
		fmt.Fprintf(&b, "line %04d\n", i)
	}
	return b.String()
}

// stored opens a workspace where long was read whole, and returns the id of the
// artifact.
func stored(t *testing.T) (h *workspace.Hub, root, id string) {
	t.Helper()
	root = t.TempDir()
	write(t, root, "a.txt", long())
	h = open(t, root, workspace.Options{})
	r, err := h.Read("s", "a.txt", workspace.Selection{})
	if err != nil || r.Artifact == nil {
		t.Fatalf("Read = %+v, %v, want an artifact", r, err)
	}
	return h, root, r.Artifact.ID
}

func lines(first, last int) workspace.Wanted {
	return workspace.Wanted{ByLines: true, FirstLine: first, LastLine: last}
}

// TestLargeReadCreditsPreview: of a file that became an artifact exactly the
// whole lines of the preview are read (C-135).
func TestLargeReadCreditsPreview(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		read    awareness.Range
		want    string
	}{
		"whole lines":      {strings.Repeat("123456789\n", 6000), awareness.Range{}, "partial_read 1-50 of 6000"},
		"cut in a line":    {strings.Repeat("1234567\n", 7000), awareness.Range{}, "partial_read 1-62 of 7000"},
		"cut in a CRLF":    {strings.Repeat("1\r\n", 166) + "2\r\n" + strings.Repeat("1234567\r\n", 7000), awareness.Range{}, "partial_read 1-166 of 7167"},
		"characters":       {strings.Repeat("éééé\n", 11_000), awareness.Range{}, "partial_read 1-100 of 11000"},
		"one line":         {strings.Repeat("x", 60_000), awareness.Range{}, "never_read  of 1"},
		"lines of a range": {strings.Repeat("123456789\n", 9000), awareness.Range{Start: 1001, End: 8000}, "partial_read 1001-1050 of 9000"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "a.txt", test.content)
			h := open(t, root, workspace.Options{})
			r, err := h.Read("s", "a.txt", workspace.Selection{Lines: test.read})
			if err != nil || r.Artifact == nil {
				t.Fatalf("Read = %+v, %v, want an artifact", r, err)
			}
			mustState(t, h, "s", "a.txt", test.want)
			if got := fmt.Sprintf(" %s of %d", awareness.Ranges(r.Shown), r.Total); !strings.HasSuffix(test.want, got) {
				t.Errorf("the result tells%s, want %s", got, test.want)
			}
		})
	}
}

// TestArtifactCredits: lines of a file that a model gets out of its artifact
// are read, and then may be edited (C-134).
func TestArtifactCredits(t *testing.T) {
	for name, test := range map[string]struct {
		wanted workspace.Wanted
		by     workspace.Requester
		want   string
	}{
		"lines":            {lines(100, 120), workspace.ForModel, "partial_read 1-50, 100-120 of 6000"},
		"to the end":       {lines(5990, 9999), workspace.ForModel, "partial_read 1-50, 5990-6000 of 6000"},
		"all":              {workspace.Wanted{}, workspace.ForModel, "partial_read 1-299, 301-6000 of 6000"},
		"around a secret":  {lines(298, 302), workspace.ForModel, "partial_read 1-50, 298-299, 301-302 of 6000"},
		"only a secret":    {lines(300, 300), workspace.ForModel, "partial_read 1-50 of 6000"},
		"bytes":            {workspace.Wanted{ByBytes: true, Start: 1000, End: 1030}, workspace.ForModel, "partial_read 1-50, 101-103 of 6000"},
		"parts of lines":   {workspace.Wanted{ByBytes: true, Start: 1001, End: 1029}, workspace.ForModel, "partial_read 1-50, 102 of 6000"},
		"inside of a line": {workspace.Wanted{ByBytes: true, Start: 1001, End: 1009}, workspace.ForModel, "partial_read 1-50 of 6000"},
		"as far as fits":   {workspace.Wanted{ByLines: true, FirstLine: 100, LastLine: 200, Limit: 55}, workspace.ForModel, "partial_read 1-50, 100-104 of 6000"},
		"for a person":     {lines(100, 120), workspace.ForUser, "partial_read 1-50 of 6000"},
	} {
		t.Run(name, func(t *testing.T) {
			h, _, id := stored(t)
			if _, err := h.Retrieve("s", id, test.wanted, test.by); err != nil {
				t.Fatal(err)
			}
			mustState(t, h, "s", "a.txt", test.want)
		})
	}
}

func TestArtifactOfRangeCredits(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", strings.Repeat("123456789\n", 9000))
	h := open(t, root, workspace.Options{})
	r, err := h.Read("s", "a.txt", workspace.Selection{Lines: awareness.Range{Start: 1001, End: 8000}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Retrieve("s", r.Artifact.ID, lines(101, 110), workspace.ForModel); err != nil {
		t.Fatal(err)
	}
	mustState(t, h, "s", "a.txt", "partial_read 1001-1050, 1101-1110 of 9000")
}

// TestEditAfterArtifact: what was got out of an artifact may be edited, what
// was not or held a secret may not.
func TestEditAfterArtifact(t *testing.T) {
	h, root, id := stored(t)
	allowed := func(line int) bool {
		t.Helper()
		out, err := h.Apply(context.Background(), "s", "", []workspace.Op{replace("a.txt", line, line, "changed!!\n")})
		if err != nil {
			t.Fatal(err)
		}
		return out.Applied
	}
	if allowed(310) {
		t.Error("line 310 may be edited before it was shown")
	}
	if _, err := h.Retrieve("s", id, lines(295, 305), workspace.ForModel); err != nil {
		t.Fatal(err)
	}
	if allowed(300) {
		t.Error("the line with a secret may be edited")
	}
	if !allowed(305) {
		t.Error("line 305 may not be edited after it was shown")
	}
	if got := read(t, root, "a.txt"); got != strings.Replace(long(), "line 0305", "changed!!", 1) {
		t.Error("the file is not what it was with line 305 changed")
	}
}

// TestArtifactOfOtherText: an artifact of a file that has changed since shows
// nothing of the file as it is.
func TestArtifactOfOtherText(t *testing.T) {
	h, root, id := stored(t)
	write(t, root, "a.txt", "new\n"+long())
	if _, err := h.Retrieve("s", id, lines(100, 120), workspace.ForModel); err != nil {
		t.Fatal(err)
	}
	mustState(t, h, "s", "a.txt", "partial_read 2-51 of 6001 stale")
	if err := os.Remove(filepath.Join(root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Retrieve("s", id, lines(100, 120), workspace.ForModel); err != nil {
		t.Fatalf("an artifact goes with its file: %v", err)
	}
}

// TestQueryCreditsNothing: values are not lines.
func TestQueryCreditsNothing(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.json", "[\n"+strings.Repeat("\"12345678901234567890\",\n", 3000)+"0\n]\n")
	h := open(t, root, workspace.Options{})
	r, err := h.Read("s", "a.json", workspace.Selection{})
	if err != nil || r.Artifact == nil {
		t.Fatalf("Read = %+v, %v, want an artifact", r, err)
	}
	_, before, err := h.State("s", "a.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.Retrieve("s", r.Artifact.ID, workspace.Wanted{Query: "$[100:105]"}, workspace.ForModel)
	if err != nil || p.Values != 5 {
		t.Fatalf("Retrieve = %+v, %v, want 5 values", p, err)
	}
	_, after, err := h.State("s", "a.json")
	if diff := cmp.Diff(before, after); diff != "" || err != nil {
		t.Errorf("a query changed the ledger: %v (-want +got):\n%s", err, diff)
	}
}

// TestArtifactOfOtherSession: an artifact is there for its session alone
// (DESC-29, DESC-34).
func TestArtifactOfOtherSession(t *testing.T) {
	h, _, id := stored(t)
	_, err := h.Retrieve("other", id, workspace.Wanted{}, workspace.ForModel)
	if missing, ok := errors.AsType[*artifacts.NotFoundError](err); !ok || missing.Reason != "" {
		t.Errorf("Retrieve for another session: %v, want that there is none", err)
	}
	mustState(t, h, "other", "a.txt", "never_read  of 6000")
	if p, err := h.Retrieve(workspace.AnySession, id, lines(1, 1), workspace.ForUser); err != nil || p.Content != "line 0001\n" {
		t.Errorf("Retrieve for a person = %q, %v", p.Content, err)
	}
}

// TestRetrievalIsLogged: the log tells who got which part, of a query not even
// its text (AUD-2, AUD-8).
func TestRetrievalIsLogged(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	h := open(t, t.TempDir(), workspace.Options{Log: zap.New(core)})
	i, err := h.Put(workspace.Output{Session: "s", Tool: "x", Content: strings.NewReader(`{"a":1}`), Size: 7}, "")
	if err != nil {
		t.Fatal(err)
	}
	logs.TakeAll()
	for _, test := range []struct {
		id     string
		wanted workspace.Wanted
		by     workspace.Requester
		want   map[string]any
	}{
		{i.ID, lines(1, 1), workspace.ForModel, map[string]any{"retrieval_range": "lines 1-1", "requester": "model", "success": true}},
		{i.ID, workspace.Wanted{ByBytes: true, Start: 0, End: 3}, workspace.ForUser, map[string]any{"retrieval_range": "bytes 0-3", "requester": "user", "success": true}},
		{i.ID, workspace.Wanted{}, workspace.ForModel, map[string]any{"retrieval_range": "all", "requester": "model", "success": true}},
		{i.ID, workspace.Wanted{Query: "$.a"}, workspace.ForModel, map[string]any{"retrieval_range": "query", "requester": "model", "success": true}},
		{i.ID, lines(9, 9), workspace.ForModel, map[string]any{"retrieval_range": "lines 9-9", "requester": "model", "success": false, "reason": "failed"}},
		{"art_99999999999999_a", lines(1, 2), workspace.ForModel, map[string]any{"retrieval_range": "lines 1-2", "requester": "model", "success": false, "reason": "not found"}},
	} {
		_, _ = h.Retrieve("s", test.id, test.wanted, test.by)
		test.want["artifact_id"], test.want["session_id"] = test.id, "s"
		records := logs.TakeAll()
		if len(records) != 1 || records[0].Message != "artifact retrieved" {
			t.Fatalf("%v: %d records", test.wanted, len(records))
		}
		if diff := cmp.Diff(test.want, records[0].ContextMap()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.wanted, diff)
		}
	}
}

// TestMaskedTooLarge: an output that masking secrets makes too large is refused
// as one that is (AC-096).
func TestMaskedTooLarge(t *testing.T) {
	const limit = 200_000
	line := "password: a1b2c\n"
	content := strings.Repeat(line, limit/len(line)-1)
	h := open(t, t.TempDir(), workspace.Options{Config: configured(fmt.Sprintf("tools: {truncation: {max_artifact_size: %d}}", limit))})
	out := func() workspace.Output {
		return workspace.Output{Session: "s", Tool: "execute_command", Content: strings.NewReader(content), Size: int64(len(content))}
	}
	_, err := h.Process(out())
	if _, ok := errors.AsType[*truncation.TooLargeError](err); !ok {
		t.Errorf("Process: %v, want that it is too large", err)
	}
	_, err = h.Put(out(), "")
	if _, ok := errors.AsType[*truncation.TooLargeError](err); !ok {
		t.Errorf("Put: %v, want that it is too large", err)
	}
	if left, _, err := h.Artifacts("s", "", 0); err != nil || len(left) > 0 {
		t.Errorf("%d artifacts are left of what was refused, %v", len(left), err)
	}
}
