package awareness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// doc is a text of n lines, "line 1" and so on.
func doc(n int) text.Lines { return text.Split(numbered(1, n)) }

func TestJudge(t *testing.T) {
	l := doc(20)
	at := func(line int) int { return l.Start(line) }
	tests := []struct {
		name  string
		read  []awareness.Range
		edits []awareness.Edit
		want  string
	}{
		{"covered", []awareness.Range{{1, 10}}, []awareness.Edit{{at(3), at(5), "x\n"}}, ""},
		{"past the end of coverage", []awareness.Range{{1, 10}}, []awareness.Edit{{at(8), at(13), "x\n"}},
			"Lines 11-12 were not read. Read that range first."},
		{"one line", []awareness.Range{{1, 10}}, []awareness.Edit{{at(8), at(12), "x\n"}},
			"Line 11 was not read. Read that line first."},
		{"two gaps", []awareness.Range{{1, 3}, {6, 8}}, []awareness.Edit{{at(1), at(11), "x\n"}},
			"Lines 4-5, 9-10 were not read. Read those ranges first."},
		{"no overlap", []awareness.Range{{1, 3}}, []awareness.Edit{{at(8), at(9), "x\n"}},
			"File was partially read — use read_file with target line range first."},
		{"never read", nil, []awareness.Edit{{at(8), at(9), "x\n"}},
			"File has not been read — use read_file with target line range first."},
		{"end at column 0 leaves the next line out", []awareness.Range{{1, 10}}, []awareness.Edit{{at(10), at(11), "x\n"}}, ""},
		{"joining the next line touches it", []awareness.Range{{1, 10}}, []awareness.Edit{{at(10), at(11), "x"}},
			"Line 11 was not read. Read that line first."},
		{"insert below the last read line", []awareness.Range{{1, 10}}, []awareness.Edit{{at(11), at(11), "x\n"}}, ""},
		{"insert at the end of the last read line", []awareness.Range{{1, 10}}, []awareness.Edit{{at(11) - 1, at(11) - 1, "\nx"}}, ""},
		{"insert above the first read line", []awareness.Range{{5, 10}}, []awareness.Edit{{at(5), at(5), "x\n"}}, ""},
		{"insert among unread lines", []awareness.Range{{1, 3}}, []awareness.Edit{{at(9), at(9), "x\n"}},
			"File was partially read — use read_file with target line range first."},
		{"append", []awareness.Range{{20, 20}}, []awareness.Edit{{at(21), at(21), "x\n"}}, ""},
		{"append unseen", []awareness.Range{{19, 19}}, []awareness.Edit{{at(21), at(21), "x\n"}},
			"File was partially read — use read_file with target line range first."},
		{"whole document, one covered line differs", []awareness.Range{{7, 7}},
			[]awareness.Edit{{0, len(l.Text()), l.Span(1, 6) + "changed\n" + l.Span(8, 20)}}, ""},
		{"placeholder", []awareness.Range{{1, 20}}, []awareness.Edit{{at(3), at(4), "key = [REDACTED: API_KEY]\n"}},
			"The new text holds a redaction placeholder. Leave lines with [REDACTED: …] as they are."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := awareness.NewFile(awareness.Fingerprint(l))
			if tt.read != nil {
				f.Show(tt.read, nil, 1)
			}
			c, err := awareness.Reduce(l, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if b := f.Judge(&c); b != nil {
				got = b.Message
			}
			if got != tt.want {
				t.Errorf("Judge(%v after reading %v) = %q, want %q", tt.edits, tt.read, got, tt.want)
			}
		})
	}
}

func TestChange(t *testing.T) {
	R := func(r ...awareness.Range) []awareness.Range { return r }
	tests := []struct {
		name            string
		before, after   string
		read            []awareness.Range
		by              awareness.Cause
		covered, unread []awareness.Range
		changed         []awareness.Range
	}{
		{"a line above is inserted", "a\nb\nc\n", "x\na\nb\nc\n", R(awareness.Range{2, 3}), awareness.ByOther,
			R(awareness.Range{3, 4}), R(awareness.Range{1, 2}), nil},
		{"a read line is replaced", "a\nb\nc\n", "a\nB\nc\n", R(awareness.Range{1, 3}), awareness.ByOther,
			R(awareness.Range{1, 3}), nil, R(awareness.Range{2, 2})},
		{"lines are inserted among read ones", "a\nb\n", "a\nx\ny\nb\n", R(awareness.Range{1, 2}), awareness.ByOther,
			R(awareness.Range{1, 1}, awareness.Range{4, 4}), R(awareness.Range{2, 3}), nil},
		{"the agent inserts", "a\nb\n", "a\nx\ny\nb\n", R(awareness.Range{1, 1}), awareness.ByAgent,
			R(awareness.Range{1, 3}), R(awareness.Range{4, 4}), nil},
		{"line ends change", "a\nb\n", "a\r\nb\r\n", R(awareness.Range{1, 2}), awareness.ByOther,
			R(awareness.Range{1, 2}), nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := awareness.NewFile(awareness.Fingerprint(text.Split(tt.before)))
			f.Show(tt.read, nil, 1)
			p := awareness.Fingerprint(text.Split(tt.after))
			f.Change(awareness.Align(f.Lines(), p.Lines), p.Sum, tt.by)
			got := [][]awareness.Range{f.Read(), f.Unread(), f.Changed()}
			want := [][]awareness.Range{tt.covered, tt.unread, tt.changed}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("covered, unread, changed (-want +got):\n%s", diff)
			}
			if stale := tt.by == awareness.ByOther; f.Stale() != stale {
				t.Errorf("Stale() = %v, want %v", f.Stale(), stale)
			}
		})
	}
}

func TestUndoRestores(t *testing.T) {
	l := doc(10)
	f := awareness.NewFile(awareness.Fingerprint(l))
	f.Show([]awareness.Range{{3, 8}}, nil, 1)
	c, err := awareness.Reduce(l, []awareness.Edit{{l.Start(2), l.Start(6), ""}})
	if err != nil {
		t.Fatal(err)
	}
	f.Change(c.Hunks, awareness.Sum(c.After.Text()), awareness.ByAgent)
	f.Update(awareness.Fingerprint(l))
	if diff := cmp.Diff([]awareness.Range{{3, 8}}, f.Read()); diff != "" {
		t.Errorf("after undo (-want +got):\n%s", diff)
	}
}
