package awareness_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/text"
)

// doc is a text of n lines, "line 1" and so on.
func doc(n int) text.Lines { return text.Split(numbered(1, n)) }

// record returns a record of s that shows what marks say of each line: c for
// covered, r for redacted, anything else for unread.
func record(s, marks string) *awareness.File {
	f := awareness.NewFile(awareness.Fingerprint(text.Split(s)))
	show(f, marks, 1)
	return f
}

func show(f *awareness.File, marks string, round int) {
	var read, redacted []awareness.Range
	for i, mark := range marks {
		r := awareness.Range{Start: i + 1, End: i + 1}
		switch mark {
		case 'c':
			read = append(read, r)
		case 'r':
			redacted = append(redacted, r)
		}
	}
	if read != nil || redacted != nil {
		f.Show(read, redacted, round)
	}
}

// marks describes each line: c for covered, ! for covered and changed, r for
// redacted and a dot for unread.
func marks(f *awareness.File) string {
	out := []byte(strings.Repeat(".", f.Total()))
	for _, set := range []struct {
		mark   byte
		ranges []awareness.Range
	}{{'r', f.Redacted()}, {'c', f.Read()}, {'!', f.Changed()}} {
		for _, r := range set.ranges {
			for n := r.Start; n <= r.End; n++ {
				out[n-1] = set.mark
			}
		}
	}
	return string(out)
}

const (
	never     = "File has not been read — use read_file with target line range first."
	partially = "File was partially read — use read_file with target line range first."
)

func verdict(f *awareness.File, l text.Lines, edits []awareness.Edit) (string, []awareness.Range, error) {
	c, err := awareness.Reduce(l, edits)
	if err != nil {
		return "", nil, err
	}
	b := f.Judge(&c)
	if b == nil {
		return "", nil, nil
	}
	return b.Message, b.Unread, nil
}

func TestJudge(t *testing.T) {
	l := doc(120)
	at := func(line int) int { return l.Start(line) }
	tests := []struct {
		name   string // the rule it is about and what it shows
		read   []awareness.Range
		edits  []awareness.Edit
		want   string
		unread []awareness.Range
	}{
		{"GRD-02 covered", []awareness.Range{{1, 10}}, []awareness.Edit{{at(3), at(5), "x\n"}}, "", nil},
		{"GRD-03 past the end of coverage", []awareness.Range{{50, 100}}, []awareness.Edit{{at(80), at(121), "x\n"}},
			"Lines 101-120 were not read. Read that range first.", []awareness.Range{{101, 120}}},
		{"C-116 one line", []awareness.Range{{1, 100}}, []awareness.Edit{{at(98), at(102), "x\n"}},
			"Line 101 was not read. Read that line first.", []awareness.Range{{101, 101}}},
		{"C-116 two gaps", []awareness.Range{{1, 9}, {21, 40}}, []awareness.Edit{{at(1), at(51), "x\n"}},
			"Lines 10-20, 41-50 were not read. Read those ranges first.", []awareness.Range{{10, 20}, {41, 50}}},
		{"C-116 gaps of two edits", []awareness.Range{{1, 9}}, []awareness.Edit{{at(9), at(11), "x\n"}, {at(15), at(16), "y\n"}},
			"Lines 10, 15 were not read. Read those ranges first.", []awareness.Range{{10, 10}, {15, 15}}},
		{"GRD-04 no overlap", []awareness.Range{{1, 3}}, []awareness.Edit{{at(8), at(9), "x\n"}}, partially, []awareness.Range{{8, 8}}},
		{"C-114 never read", nil, []awareness.Edit{{at(8), at(9), "x\n"}}, never, []awareness.Range{{8, 8}}},
		{"C-118 an end at column 0 leaves the next line out", []awareness.Range{{80, 99}}, []awareness.Edit{{at(80), at(100), "x\n"}}, "", nil},
		{"C-118 but not the line before", []awareness.Range{{80, 98}}, []awareness.Edit{{at(80), at(100), "x\n"}},
			"Line 99 was not read. Read that line first.", []awareness.Range{{99, 99}}},
		{"C-119 text without a line end joins the next line", []awareness.Range{{1, 10}}, []awareness.Edit{{at(10), at(11), "x"}},
			"Line 11 was not read. Read that line first.", []awareness.Range{{11, 11}}},
		{"C-119 a line end removed", []awareness.Range{{1, 10}}, []awareness.Edit{{at(11) - 1, at(11), ""}},
			"Line 11 was not read. Read that line first.", []awareness.Range{{11, 11}}},
		{"C-119 joined past a line deleted by another edit", []awareness.Range{{1, 10}}, []awareness.Edit{{at(9), at(10), "x"}, {at(10), at(11), ""}},
			"Line 11 was not read. Read that line first.", []awareness.Range{{11, 11}}},
		{"C-117 insert below the last read line", []awareness.Range{{1, 10}}, []awareness.Edit{{at(11), at(11), "x\n"}}, "", nil},
		{"C-117 insert at the end of the last read line", []awareness.Range{{1, 10}}, []awareness.Edit{{at(11) - 1, at(11) - 1, "\nx"}}, "", nil},
		{"C-117 insert at the end of the line above the first read", []awareness.Range{{11, 20}}, []awareness.Edit{{at(11) - 1, at(11) - 1, "\nx"}}, "", nil},
		{"C-117 insert above the first read line", []awareness.Range{{5, 10}}, []awareness.Edit{{at(5), at(5), "x\n"}}, "", nil},
		{"C-117 insert among unread lines", []awareness.Range{{1, 3}}, []awareness.Edit{{at(9), at(9), "x\n"}}, partially, []awareness.Range{{8, 9}}},
		{"C-117 insert one line off", []awareness.Range{{1, 10}}, []awareness.Edit{{at(12), at(12), "x\n"}}, partially, []awareness.Range{{11, 12}}},
		{"C-117 insert at the top", []awareness.Range{{1, 1}}, []awareness.Edit{{0, 0, "x\n"}}, "", nil},
		{"C-117 insert at the top, unread", []awareness.Range{{2, 3}}, []awareness.Edit{{0, 0, "x\n"}}, partially, []awareness.Range{{1, 1}}},
		{"C-117 insert without a line end", []awareness.Range{{1, 10}}, []awareness.Edit{{at(11), at(11), "x"}}, partially, []awareness.Range{{11, 11}}},
		{"C-120 append", []awareness.Range{{120, 120}}, []awareness.Edit{{at(121), at(121), "x"}}, "", nil},
		{"C-120 append, unread", []awareness.Range{{1, 119}}, []awareness.Edit{{at(121), at(121), "x"}}, partially, []awareness.Range{{120, 120}}},
		{"C-156 whole document, one line differs", []awareness.Range{{7, 7}},
			[]awareness.Edit{{0, at(121), l.Span(1, 6) + "changed\n" + l.Span(8, 120)}}, "", nil},
		{"C-156 whole document, two lines differ", []awareness.Range{{7, 7}},
			[]awareness.Edit{{0, at(121), l.Span(1, 6) + "changed\n" + l.Span(8, 9) + l.Span(11, 120)}},
			"Line 10 was not read. Read that line first.", []awareness.Range{{10, 10}}},
		{"C-156 the same text again", nil, []awareness.Edit{{at(3), at(9), l.Span(3, 8)}}, "", nil},
		{"C-93 placeholder", []awareness.Range{{1, 20}}, []awareness.Edit{{at(3), at(4), "key = [REDACTED: API_KEY]\n"}},
			"The new text holds a redaction placeholder. Leave lines with [REDACTED: …] as they are.", nil},
		{"GRD-03 an insertion that passes counts as overlap", []awareness.Range{{1, 3}}, []awareness.Edit{{at(4), at(4), "x\n"}, {at(9), at(10), "x\n"}},
			"Line 9 was not read. Read that line first.", []awareness.Range{{9, 9}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := awareness.NewFile(awareness.Fingerprint(l))
			if tt.read != nil {
				f.Show(tt.read, nil, 1)
			}
			got, unread, err := verdict(f, l, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("Judge(%v after reading %v) = %q, want %q", tt.edits, tt.read, got, tt.want)
			}
			if diff := cmp.Diff(tt.unread, unread); diff != "" {
				t.Errorf("lines to read (-want +got):\n%s", diff)
			}
		})
	}
}

// TestJudgeTexts covers what depends on the text: its ends, equal lines and
// bytes that are no text.
func TestJudgeTexts(t *testing.T) {
	const masked, maskedTwo = "Line 2 was shown with a secret redacted. Only a person can edit it.", "Lines 2-3 were shown with secrets redacted. Only a person can edit them."
	tests := []struct {
		name, before, marks string
		edits               []awareness.Edit
		want                string
	}{
		{"C-115 C-120 empty file", "", "", []awareness.Edit{{0, 0, "x"}}, ""},
		{"C-115 existing file", "a\n", "", []awareness.Edit{{0, 2, "x\n"}}, never},
		{"C-120 append to an unterminated line", "a\nb", "c.", []awareness.Edit{{3, 3, "\nx"}}, partially},
		{"C-120 append to an unterminated line that was read", "a\nb", ".c", []awareness.Edit{{3, 3, "\nx"}}, ""},
		{"C-120 delete an unterminated line", "a\nb", ".c", []awareness.Edit{{2, 3, ""}}, ""},
		{"C-120 delete it with the line end before it", "a\nb", ".c", []awareness.Edit{{1, 3, ""}}, "Line 1 was not read. Read that line first."},
		{"C-93 edit of a redacted line", "a\nkey\nc\n", "crc", []awareness.Edit{{2, 5, "x"}}, masked},
		{"C-93 edit across redacted lines", "a\nkey\nkex\nc\n", "crrc", []awareness.Edit{{0, 12, ""}}, maskedTwo},
		{"C-93 insert between a read and a redacted line", "a\nkey\nc\n", "cr.", []awareness.Edit{{2, 2, "x\n"}}, ""},
		{"C-93 insert between a redacted and an unread line", "a\nkey\nc\n", "cr.", []awareness.Edit{{6, 6, "x\n"}}, partially},
		{"C-93 insert between redacted lines", "a\nkey\nkex\nc\n", "crrc", []awareness.Edit{{6, 6, "x\n"}}, maskedTwo},
		{"C-93 whole document with a literal placeholder left alone", "a\n[REDACTED: K]\nc\n", "cc.",
			[]awareness.Edit{{0, 18, "x\n[REDACTED: K]\nc\n"}}, ""},
		{"C-93 literal placeholder deleted", "a\n[REDACTED: K]\nc\n", "cc.", []awareness.Edit{{2, 16, ""}}, ""},
		{"C-185 unread line that is not UTF-8", "a\n\xff\n", "c.", []awareness.Edit{{2, 3, "x"}}, "Line 2 is not valid UTF-8 and cannot be edited by an agent."},
		{"C-185 elsewhere in the file", "a\n\xff\n", "c.", []awareness.Edit{{0, 1, "x"}}, ""},
		{"deleting one of equal lines slides up to the read one", "x\na\na\na\nx\n", ".c...", []awareness.Edit{{6, 8, ""}}, ""},
		{"deleting one of equal lines slides down to the read one", "x\na\na\na\nx\n", "...c.", []awareness.Edit{{2, 4, ""}}, ""},
		{"deleting two of three equal lines", "x\na\na\na\nx\n", "..cc.", []awareness.Edit{{2, 6, ""}}, ""},
		{"deleting does not slide past another line", "a\nx\na\n", "c..", []awareness.Edit{{4, 6, ""}}, partially},
		{"inserting among equal lines slides to a read neighbour", "x\na\na\na\nx\n", "c....", []awareness.Edit{{6, 6, "a\n"}}, ""},
		{"inserting slides down", "x\na\na\na\ny\n", "....c", []awareness.Edit{{2, 2, "a\n"}}, ""},
		{"inserting two lines slides around", "x\na\nb\na\nb\ny\n", "c.....", []awareness.Edit{{8, 8, "b\na\n"}}, ""},
		{"inserting two lines slides down and around", "x\na\nb\na\nb\ny\n", ".....c", []awareness.Edit{{2, 2, "a\nb\n"}}, ""},
		{"inserting two lines does not slide past another", "x\na\na\nb\ny\n", "....c", []awareness.Edit{{2, 2, "a\nb\n"}}, partially},
		{"inserting does not slide past another line", "y\na\na\nx\n", "c...", []awareness.Edit{{6, 6, "a\nb\n"}}, partially},
		{"a slide stops at the hunk before", "a\na\na\na\nz\n", "c....", []awareness.Edit{{0, 2, "q\n"}, {4, 6, ""}}, "Line 3 was not read. Read that line first."},
		{"a slide stops at the hunk behind", "z\na\na\na\na\n", "....c", []awareness.Edit{{4, 6, ""}, {8, 10, "q\n"}}, "Line 3 was not read. Read that line first."},
		{"a CR and a LF that meet touch both lines", "a\rb\n\nc\n", "..c.", []awareness.Edit{{2, 4, ""}}, "Lines 1-2 were not read. Read that range first."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := text.Split(tt.before)
			f := record(tt.before, tt.marks)
			got, _, err := verdict(f, l, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("Judge(%s of %q, %s) = %q, want %q", quote(tt.edits), tt.before, tt.marks, got, tt.want)
			}
			if marks := marks(f); strings.Trim(marks, ".") != strings.Trim(tt.marks, ".") {
				t.Errorf("C-137: Judge left the record as %s, it was %s", marks, tt.marks)
			}
		})
	}
}

// TestSlideKeepsText is about the change itself: whatever place Judge moves a
// hunk to, the text comes out the same, and the caller's copy is left alone.
func TestSlideKeepsText(t *testing.T) {
	l := text.Split("x\na\nb\na\nb\ny\n")
	c, err := awareness.Reduce(l, []awareness.Edit{{8, 8, "b\na\n"}})
	if err != nil {
		t.Fatal(err)
	}
	given := c
	hunk := c.Hunks[0]
	if b := record(l.Text(), "c").Judge(&c); b != nil {
		t.Fatalf("Judge = %+v", b)
	}
	want := []awareness.Edit{{2, 2, "a\nb\n"}}
	if diff := cmp.Diff(want, c.Edits()); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(hunk, given.Hunks[0]); diff != "" {
		t.Errorf("the hunk of another copy (-before +after):\n%s", diff)
	}
	print := awareness.Fingerprint(text.Split(applyEdits(l.Text(), c.Edits())))
	if diff := cmp.Diff(print.Lines, replayHunks(awareness.Fingerprint(l).Lines, c.Hunks)); diff != "" {
		t.Errorf("lines by hunks (-want +got):\n%s", diff)
	}
}

func TestJudgeUntouched(t *testing.T) {
	l := doc(3)
	var f *awareness.File
	got, unread, err := verdict(f, l, []awareness.Edit{{l.Start(2), l.Start(3), ""}, {0, 0, "x\n"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]awareness.Range{{1, 2}}, unread); got != never || diff != "" {
		t.Errorf("Judge without a record = %q, %v", got, unread)
	}
	if f.State() != awareness.NeverRead || f.Coverage() != 0 || f.Stale() || f.Read() != nil || f.Redacted() != nil || f.Changed() != nil {
		t.Errorf("no record claims to know something")
	}
	if f.Warn(3) != nil || f.JudgeStale(3) != nil {
		t.Errorf("no record warns")
	}
	if got, _, err := verdict(f, text.Split(""), []awareness.Edit{{0, 0, "x\n"}}); got != "" || err != nil {
		t.Errorf("writing to an empty file without a record = %q, %v", got, err)
	}
}

func TestJudgeWhole(t *testing.T) { // C-125, C-136
	tests := []struct {
		name, before, marks string
		want                *awareness.Block
	}{
		{"all read", "a\nb\n", "cc", nil},
		{"empty", "", "", nil},
		{"a line unread", "a\nb\nc\n", "c.c", &awareness.Block{Reason: awareness.ReasonDelete, Unread: []awareness.Range{{2, 2}}, Message: "Line 2 was not read. Read that line first."}},
		{"never read", "a\nb\n", "", &awareness.Block{Reason: awareness.ReasonDelete, Unread: []awareness.Range{{1, 2}}, Message: never}},
		{"redacted", "a\nb\n", "cr", &awareness.Block{Reason: awareness.ReasonRedacted, Message: "Line 2 was shown with a secret redacted. Only a person can edit it."}},
		{"not UTF-8", "a\n\xff\n", "c.", &awareness.Block{Reason: awareness.ReasonBinary, Message: "Line 2 is not valid UTF-8 and cannot be edited by an agent."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := record(tt.before, tt.marks).JudgeWhole(text.Split(tt.before), awareness.ReasonDelete)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("JudgeWhole (-want +got):\n%s", diff)
			}
		})
	}
	var f *awareness.File
	if b := f.JudgeWhole(doc(2), awareness.ReasonOverwrite); b == nil || b.Reason != awareness.ReasonOverwrite || b.Message != never {
		t.Errorf("JudgeWhole without a record = %+v", b)
	}
	if b := f.JudgeWhole(text.Split(""), awareness.ReasonOverwrite); b != nil {
		t.Errorf("JudgeWhole of an empty file without a record = %+v", b)
	}
}

// TestChange writes each line as one word and what is known of it as a mark.
func TestChange(t *testing.T) {
	type step struct {
		after string
		by    awareness.Cause
		want  string
	}
	const agent, other = awareness.ByAgent, awareness.ByOther
	tests := []struct {
		name, before, marks string
		steps               []step
	}{
		{"C-121 a line above is inserted", "a b c", ".cc", []step{{"x a b c", other, "..cc"}}},
		{"C-121 a line above is deleted", "a b c", ".cc", []step{{"b c", other, "cc"}}},
		{"C-121 lines below do not matter", "a b c", "c..", []step{{"a b", other, "c."}}},
		{"C-121 redacted lines move", "a b c", "..r", []step{{"x a b c", other, "...r"}, {"b c", other, ".r"}}},
		{"C-121 changed lines move", "a b c", ".cc", []step{{"a b x", other, ".c!"}, {"y a b x", other, "..c!"}, {"b x", other, "c!"}}},
		{"C-126 the agent's lines are covered", "a b", "c.", []step{{"a x y b", agent, "ccc."}}},
		{"C-126 the agent's lines are as it saw them", "a b", "cc", []step{{"a x", other, "c!"}, {"a y", agent, "cc"}}},
		{"C-126 of lines it left alone it knows no more", "a b c d", "c..c", []step{{"x b c y", agent, "c..c"}}},
		{"C-122 a read line is replaced", "a b c", "ccc", []step{{"a B c", other, "c!c"}}},
		{"C-122 an unread line is replaced", "a b c", "c.c", []step{{"a B c", other, "c.c"}}},
		{"C-122 some of the replaced were read", "a b c d", "cc.c", []step{{"a B C d", other, "c!.c"}}},
		{"C-122 lines are inserted", "a b", "cc", []step{{"a x y b", other, "c..c"}}},
		{"C-122 lines are appended", "a b", "cc", []step{{"a b x", other, "cc."}}},
		{"C-122 more lines than before: pairs from the top", "a b c", "ccc", []step{{"a x y z c", other, "c!..c"}}},
		{"C-122 fewer lines than before", "a b c d", "cccc", []step{{"a x d", other, "c!c"}}},
		{"C-122 other number, one of the replaced unread", "a b c d", "cc.c", []step{{"a x d", other, "c.c"}}},
		{"C-128 changed and changed back", "a b c", "ccc", []step{{"a x c", other, "c!c"}, {"a b c", other, "ccc"}}},
		{"C-128 back over another change", "a b c", "ccc", []step{{"a x c", other, "c!c"}, {"a y c", other, "c!c"}, {"a b c", other, "ccc"}}},
		{"C-190 a replaced redacted line is only unread", "a b c", "crc", []step{{"a B c", other, "c.c"}}},
		{"C-178 undo of a deletion", "a b c d", ".cc.", []step{{"a d", agent, ".."}, {"a b c d", other, ".cc."}}},
		{"C-178 undo of a deletion by hand", "a b c d", "cc..", []step{{"a d", other, "c."}, {"a b c d", other, "cc.."}}},
		{"C-178 undo of a deletion of a changed line", "a b c", "ccc", []step{{"a x c", other, "c!c"}, {"a c", other, "cc"}, {"a x c", other, "c!c"}, {"a b c", other, "ccc"}}},
		{"C-178 undo of an insertion", "a b", "cc", []step{{"a x b", agent, "ccc"}, {"a b", other, "cc"}}},
		{"C-178 undo and redo", "a b c", "ccc", []step{{"a c", agent, "cc"}, {"a b c", other, "ccc"}, {"a c", other, "cc"}, {"a b c", other, "ccc"}}},
		{"C-178 undo of a replacement stays stale", "a b c", "ccc", []step{{"a x y c", agent, "cccc"}, {"a b c", other, "c!c"}}},
		{"C-178 undo of a replacement, partly read before", "a b c d", ".c..", []step{{"a x d", agent, ".c."}, {"a b c d", other, ".!.."}}},
		{"C-178 undo of two changes", "a b c d e", "ccccc", []step{{"a b d e", agent, "cccc"}, {"a d e", agent, "ccc"}, {"a b d e", other, "cccc"}, {"a b c d e", other, "ccccc"}}},
		{"C-178 what was known last comes back", "a b c", "ccc", []step{{"a c", other, "cc"}, {"a b c", other, "ccc"}, {"a x c", agent, "ccc"},
			{"a b c", other, "c!c"}, {"a c", other, "cc"}, {"a b c", other, "c!c"}}},
		{"C-122 the same line elsewhere does not come back", "a b c d", "ccc.", []step{{"a c d", agent, "cc."}, {"a c d b", other, "cc.."}}},
		{"C-122 nor beside only one of its neighbours", "a b c d", "cccc", []step{{"a c d", agent, "ccc"}, {"a c b d", other, "cc.c"}}},
		{"C-122 nor above another line", "a b c", "ccc", []step{{"a c", agent, "cc"}, {"a d", other, "c!"}, {"a b d", other, "c.!"}}},
		{"C-122 nor below another line", "a b c", "ccc", []step{{"a c", agent, "cc"}, {"d c", other, "!c"}, {"d b c", other, "!.c"}}},
		{"C-122 nor at the top of the file", "a b c", "ccc", []step{{"a c", agent, "cc"}, {"b a c", other, ".cc"}}},
		{"C-190 a formatter moves lines below", "a b c d e", "c..cc", []step{{"a B b1 c d e", other, "c...cc"}}},
		{"duplicates keep the head", "x x x", "c..", []step{{"x x", other, "c."}}},
		{"everything goes", "a b", "cc", []step{{"", other, ""}, {"a b", other, "cc"}}},
	}
	words := func(s string) string { return strings.ReplaceAll(s+" ", " ", "\n") }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := record(words(tt.before), tt.marks)
			for i, s := range tt.steps {
				after := words(s.after)
				if s.after == "" {
					after = ""
				}
				p := awareness.Fingerprint(text.Split(after))
				f.Change(awareness.Align(f.Lines(), p.Lines), p.Sum, s.by)
				if got := marks(f); got != s.want {
					t.Fatalf("step %d, to %q: %s, want %s", i, s.after, got, s.want)
				}
				if f.Sum() != p.Sum {
					t.Errorf("step %d: Sum() is not that of the new text", i)
				}
			}
		})
	}
}

func TestStale(t *testing.T) {
	const before = "a\nb\nc\n"
	is := func(f *awareness.File, want bool, what string) {
		t.Helper()
		if f.Stale() != want {
			t.Errorf("%s: Stale() = %v, want %v", what, f.Stale(), want)
		}
	}
	update := func(f *awareness.File, s string) { f.Update(awareness.Fingerprint(text.Split(s))) }

	f := record(before, "")
	update(f, "x\n")
	is(f, false, "never read and changed")

	f = record(before, "ccc")
	is(f, false, "read")
	update(f, before)
	is(f, false, "C-128 touched")
	update(f, "a\nb\nc\nd\n")
	is(f, true, "C-122 appended to")
	update(f, before)
	is(f, false, "C-128 changed back")

	update(f, "a\r\nb\r\nc\r\n")
	is(f, true, "C-166 other line ends")
	if got := marks(f); got != "ccc" {
		t.Errorf("C-166 other line ends: %s, want ccc", got)
	}
	f.Show([]awareness.Range{{1, 1}}, nil, 2)
	is(f, false, "looked at again")

	update(f, "a\r\nX\r\nc\r\n")
	f.Show([]awareness.Range{{1, 1}}, nil, 3)
	is(f, true, "looked elsewhere than at the changed line")
	f.ShowPart(2, 0, 1, 1, 3)
	is(f, false, "looked at the changed line")

	p := awareness.Fingerprint(text.Split("a\r\nX\r\ny\r\n"))
	f.Change(awareness.Align(f.Lines(), p.Lines), p.Sum, awareness.ByAgent)
	is(f, false, "edited by the agent")
	update(f, "z\r\nX\r\ny\r\n")
	p = awareness.Fingerprint(text.Split("z\r\nX\r\nw\r\n"))
	f.Change(awareness.Align(f.Lines(), p.Lines), p.Sum, awareness.ByAgent)
	is(f, true, "edited by the agent while stale")

	f = record(before, "ccc")
	f.Rebase(awareness.Sum("a\nb\nc"))
	is(f, false, "written differently")
	update(f, "a\nb\n")
	f.Rebase(awareness.Sum("a\nb"))
	is(f, true, "written differently while stale")

	f = record("", "")
	p = awareness.Fingerprint(text.Split("mine\n"))
	f.Change(awareness.Align(nil, p.Lines), p.Sum, awareness.ByAgent)
	is(f, false, "C-126 written by the agent")
	if f.State() != awareness.FullyRead || f.Coverage() != 1 {
		t.Errorf("C-126 written by the agent: %s, coverage %v", f.State(), f.Coverage())
	}
	update(f, "theirs\n")
	is(f, true, "C-126 then changed by another")

	f = record("", "")
	update(f, "theirs\n")
	f.Change(nil, awareness.Sum("theirs"), awareness.ByAgent)
	if f.State() != awareness.NeverRead || f.Stale() {
		t.Errorf("an edit of no lines: %s, stale %v", f.State(), f.Stale())
	}
}

func TestWarn(t *testing.T) { // C-122, C-123, C-129
	f := awareness.NewAuthoredFile(3)
	p := awareness.Fingerprint(doc(4))
	f.Change(awareness.Align(nil, p.Lines), p.Sum, awareness.ByAgent)
	if f.Warn(9) != nil {
		t.Errorf("Warn of a file nobody changed = %+v", f.Warn(9))
	}
	f.Update(awareness.Fingerprint(text.Split("line 1\nX\nline 3\nline 4\nnew\n")))
	for round, want := range map[int]string{
		2: "You last saw this file 1 round ago; it may have changed.",
		3: "You last saw this file 1 round ago; it may have changed.",
		4: "You last saw this file 1 round ago; it may have changed.",
		5: "You last saw this file 2 rounds ago; it may have changed.",
	} {
		if diff := cmp.Diff(&awareness.Warning{Message: want, Changed: []awareness.Range{{2, 2}}}, f.Warn(round)); diff != "" {
			t.Errorf("Warn(%d) (-want +got):\n%s", round, diff)
		}
		b := &awareness.Block{Reason: awareness.ReasonStale, Unread: []awareness.Range{{2, 2}}, Message: want}
		if diff := cmp.Diff(b, f.JudgeStale(round)); diff != "" {
			t.Errorf("JudgeStale(%d) (-want +got):\n%s", round, diff)
		}
	}
	if f.State() != awareness.ModelAuthored || marks(f) != "c!cc." {
		t.Errorf("C-123: %s, %s", f.State(), marks(f))
	}
	f.Show([]awareness.Range{{1, 2}}, nil, 6)
	if f.State() != awareness.ModelAuthored {
		t.Errorf("C-124: %s after reading a part", f.State())
	}
	if f.Stale() || f.Round() != 6 || f.Rounds(8) != 2 {
		t.Errorf("after a look: stale %v, round %d, %d ago", f.Stale(), f.Round(), f.Rounds(8))
	}
}

func TestState(t *testing.T) { // LED-02 to LED-05, LED-07
	f := record(numbered(1, 400), "")
	step := func(what string, state awareness.State, coverage float64) {
		t.Helper()
		if f.State() != state || f.Coverage() != coverage {
			t.Errorf("%s: %s, coverage %v, want %s, %v", what, f.State(), f.Coverage(), state, coverage)
		}
	}
	step("new", awareness.NeverRead, 0)
	f.Show([]awareness.Range{{1, 200}}, nil, 1)
	step("LED-03", awareness.PartialRead, 0.5)
	f.Show([]awareness.Range{{201, 400}}, nil, 1)
	step("LED-07", awareness.FullyRead, 1)
	if diff := cmp.Diff([]awareness.Range{{1, 400}}, f.Read()); diff != "" {
		t.Errorf("LED-07 (-want +got):\n%s", diff)
	}

	f = record("a\nb\n", "")
	f.Show(nil, []awareness.Range{{1, 2}}, 1)
	step("C-93 all redacted", awareness.PartialRead, 0)
	f = record("a\nb\n", "")
	f.Show([]awareness.Range{{-5, 0}, {3, 9}, {2, 1}}, nil, 1)
	step("nothing of the file shown", awareness.NeverRead, 0)
	f = record("", "")
	f.Show(nil, nil, 1)
	step("an empty file shown", awareness.FullyRead, 1)
}

func TestShow(t *testing.T) {
	f := record("a\nb\nc\nd\n", "")
	f.Show([]awareness.Range{{1, 3}}, []awareness.Range{{2, 2}}, 1)
	if got := marks(f); got != "crc." {
		t.Errorf("C-93 a redacted line among those shown: %s, want crc.", got)
	}
	f.Show([]awareness.Range{{2, 9}}, nil, 2)
	if got := marks(f); got != "cccc" {
		t.Errorf("C-93 shown whole later: %s, want cccc", got)
	}
	f.Update(awareness.Fingerprint(text.Split("a\nX\nc\nY\n")))
	f.Show(nil, []awareness.Range{{4, 4}}, 3)
	if got := marks(f); got != "c!cr" {
		t.Errorf("C-93 a changed line shown redacted: %s, want c!cr", got)
	}
	f.Show([]awareness.Range{{2, 2}}, nil, 3)
	if got := marks(f); got != "cccr" {
		t.Errorf("C-133 the changed line shown: %s, want cccr", got)
	}
	if f.Known() != f.Sum() || f.Round() != 3 {
		t.Errorf("Known or Round is not of the last look")
	}
}

func TestShowPart(t *testing.T) { // C-163
	f := record("aaaa\nbbbb\ncccc\n", "")
	part := func(line, start, end int, want string) {
		t.Helper()
		f.ShowPart(line, start, end, 4, 1)
		if got := marks(f); got != want {
			t.Errorf("bytes %d-%d of line %d: %s, want %s", start, end, line, got, want)
		}
	}
	part(2, 0, 0, "...")
	part(2, -1, 4, "...")
	part(2, 0, 5, "...")
	part(0, 0, 4, "...")
	part(4, 0, 4, "...")
	if f.State() != awareness.NeverRead {
		t.Errorf("%s after parts that do not exist", f.State())
	}
	part(2, 0, 2, "...")
	if f.State() != awareness.PartialRead {
		t.Errorf("%s after a part", f.State())
	}
	part(2, 3, 4, "...")
	part(3, 1, 4, "...")
	f.Update(awareness.Fingerprint(text.Split("x\naaaa\nbbbb\nCccc\n")))
	part(3, 2, 3, "..c.")
	part(4, 0, 1, "..c.") // the part shown before the line changed does not count
	part(4, 1, 4, "..cc")

	f = record("aaaa\nbbbb\n", ".c")
	f.Update(awareness.Fingerprint(text.Split("aaaa\nxxxx\n")))
	part(2, 0, 3, ".!")
	part(2, 3, 4, ".c")

	f = record("aaaa\nbbbb\n", "")
	part(1, 0, 2, "..")
	f.Show([]awareness.Range{{1, 1}}, nil, 1)
	f.Show(nil, []awareness.Range{{1, 1}}, 1)
	part(1, 2, 4, "r.") // what was shown before the line was shown redacted is forgotten

	f = record("aaaa\nbbbb\ncccc\n", "")
	part(3, 0, 3, "...")
	c := f.Clone()
	f.Update(awareness.Fingerprint(text.Split("aaaa\ncccc\n")))
	part(2, 3, 4, ".c")
	f = c // which has seen no more than before
	part(3, 0, 1, "...")
	part(3, 3, 4, "..c")
}

func TestUndoIsBounded(t *testing.T) {
	const n = 1000
	f := record(numbered(1, n), strings.Repeat("c", n))
	gone := f.Clone().Lines()
	for i := range n/2 - 1 { // every other line
		f.Change([]awareness.Hunk{{Start: i + 2, Old: 1}}, awareness.Hash{}, awareness.ByAgent)
	}
	if got := f.Remembered(); got > awareness.MaxFragments {
		t.Fatalf("%d runs of lines remembered", got)
	}
	for back := range awareness.MaxFragments / 2 {
		i := n/2 - 2 - back
		f.Change([]awareness.Hunk{{Start: i + 2, New: gone[2*i+1 : 2*i+2]}}, awareness.Hash{}, awareness.ByOther)
		if got := f.Unread(); got != nil {
			t.Fatalf("%d deletions undone: unread %v", back+1, got)
		}
	}

	// A run of which too much is known in too much detail is not kept.
	for _, tt := range []struct {
		lines int
		want  bool
	}{{awareness.MaxKnowledge, true}, {awareness.MaxKnowledge + 1, false}} {
		marks := strings.Repeat("c.", tt.lines)
		s := numbered(1, len(marks)) + "last\n"
		f := record(s, marks+".")
		f.Update(awareness.Fingerprint(text.Split("last\n")))
		f.Update(awareness.Fingerprint(text.Split(s)))
		if got := f.Coverage() > 0; got != tt.want {
			t.Errorf("%d ranges deleted and back are known: %v, want %v", tt.lines, got, tt.want)
		}
	}
}

// TestRewrittenInPlace: a program that empties a file before it writes it anew
// costs no more than one that replaces it (C-190).
func TestRewrittenInPlace(t *testing.T) {
	const before, after = "a\nb\nc\nd\n", "a\nB\nc\nnew\nd\n"
	f := record(before, "ccc.")
	want := f.Clone()
	want.Update(awareness.Fingerprint(text.Split(after)))
	f.Update(awareness.Fingerprint(text.Split("")))
	again := f.Clone()
	for _, f := range []*awareness.File{f, again} {
		f.Update(awareness.Fingerprint(text.Split(after)))
		if diff := cmp.Diff(want.Snapshot(), f.Snapshot()); diff != "" {
			t.Errorf("emptied and written (-at once +in two steps):\n%s", diff)
		}
	}

	// What the agent saw of the empty file counts.
	f = record(before, "cccc")
	f.Update(awareness.Fingerprint(text.Split("")))
	f.Show(nil, nil, 2)
	f.Update(awareness.Fingerprint(text.Split("x\na\n")))
	if got := f.Unread(); len(got) != 1 || got[0] != (awareness.Range{Start: 1, End: 2}) {
		t.Errorf("lines put into a file seen empty: unread %v", got)
	}
}

func TestAdded(t *testing.T) {
	for _, tt := range []struct {
		name, before, marks, after, added string
	}{
		{"a line among read ones", "a b c", "ccc", "a x b c", "[{2 2}]"},
		{"lines at the end of read ones", "a b", "cc", "a b x y", "[{3 4}]"},
		{"more lines in place of a read one", "a b c", "ccc", "a x y c", "[{3 3}]"},
		{"a line among unread ones", "a b c d", "c...", "a b x c d", "[{3 3}]"},
		{"a line in place of a read one is changed", "a b c", "ccc", "a x c", "[]"},
		{"lines in place of unread ones are unread", "a b c", "c.c", "a x y c", "[]"},
		{"lines in place of read and unread ones", "a b c", "cc.", "a x y z", "[]"},
		{"in place of one shown redacted", "a b c", "crc", "a x c", "[]"},
	} {
		f := record(strings.ReplaceAll(tt.before, " ", "\n"), tt.marks)
		f.Update(awareness.Fingerprint(text.Split(strings.ReplaceAll(tt.after, " ", "\n"))))
		if got := fmt.Sprint(f.Added()); got != tt.added {
			t.Errorf("%s: added %s, want %s", tt.name, got, tt.added)
		}
		f.Show([]awareness.Range{{Start: 1, End: f.Total()}}, nil, 2)
		if got := f.Added(); len(got) != 0 {
			t.Errorf("%s: added %v after a read of all", tt.name, got)
		}
	}
}

func TestSnapshot(t *testing.T) {
	f := record("a\nb\nc\nd\n", "cc.r")
	f.Update(awareness.Fingerprint(text.Split("a\nX\nc\nd\n")))
	s := f.Snapshot()
	want := f.Clone()
	back, ok := awareness.Restore(s)
	if !ok {
		t.Fatal("Restore of a Snapshot failed")
	}
	f.Show([]awareness.Range{{1, 4}}, nil, 7)
	if diff := cmp.Diff(s, back.Snapshot()); diff != "" || marks(back) != "c!.r" || marks(want) != "c!.r" {
		t.Errorf("%s restored, %s cloned, want c!.r (-want +got):\n%s", marks(back), marks(want), diff)
	}
	lines := slices.Clone(s.Lines)
	back.Update(awareness.Fingerprint(text.Split("w\nx\ny\nz\n")))
	if !slices.Equal(lines, s.Lines) {
		t.Errorf("a restored record shares lines with its snapshot")
	}
	for name, broken := range map[string]func(*awareness.Snapshot){
		"ranges out of order": func(s *awareness.Snapshot) { s.Covered = []awareness.Range{{2, 2}, {1, 1}} },
		"ranges overlap":      func(s *awareness.Snapshot) { s.Covered = []awareness.Range{{1, 2}, {2, 3}} },
		"line 0":              func(s *awareness.Snapshot) { s.Covered = []awareness.Range{{0, 2}} },
		"past the end":        func(s *awareness.Snapshot) { s.Redacted = []awareness.Range{{4, 5}} },
		"backwards":           func(s *awareness.Snapshot) { s.Redacted = []awareness.Range{{4, 3}} },
		"both at once":        func(s *awareness.Snapshot) { s.Redacted = []awareness.Range{{2, 4}} },
		"added and read":      func(s *awareness.Snapshot) { s.Added = []awareness.Range{{2, 2}} },
		"added and redacted":  func(s *awareness.Snapshot) { s.Added = []awareness.Range{{4, 4}} },
		"changed but unread":  func(s *awareness.Snapshot) { s.Changed = map[int]uint64{3: 1} },
		"changed line 0":      func(s *awareness.Snapshot) { s.Changed = map[int]uint64{0: 1} },
		"changed past end":    func(s *awareness.Snapshot) { s.Changed = map[int]uint64{5: 1} },
		"changed to itself":   func(s *awareness.Snapshot) { s.Changed = map[int]uint64{1: s.Lines[0]} },
	} {
		b := s
		broken(&b)
		if _, ok := awareness.Restore(b); ok {
			t.Errorf("Restore of a snapshot with %s succeeded", name)
		}
	}
}

func TestLedger(t *testing.T) {
	var l awareness.Ledger
	if l.File("a") != nil || l.Len() != 0 || l.Round() != 0 {
		t.Errorf("the zero Ledger is not empty")
	}
	l.Forget("a")
	l.Move("a", "b")
	a, b := record("a\n", "c"), record("b\n", "c")
	l.Put("b", b)
	l.Put("a", a)
	if diff := cmp.Diff([]string{"a", "b"}, l.Names()); diff != "" || l.Len() != 2 {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	l.Move("a", "b") // C-136
	if l.File("b") != a || l.File("a") != nil {
		t.Errorf("C-136: the record did not move")
	}
	l.Move("none", "b")
	if l.Len() != 0 {
		t.Errorf("a file without a record moved over one with: %v", l.Names())
	}

	// C-129: a round is a guarded call until turns are announced.
	l.Guarded()
	l.Guarded()
	if l.Round() != 2 || l.Told() {
		t.Errorf("after two guarded calls: round %d, told %v", l.Round(), l.Told())
	}
	l.EndRound()
	l.Guarded()
	if l.Round() != 3 || !l.Told() {
		t.Errorf("after an announced round: round %d, told %v", l.Round(), l.Told())
	}
	l.SetRounds(7, false)
	l.Guarded()
	if l.Round() != 8 {
		t.Errorf("after SetRounds(7): round %d", l.Round())
	}
}

func TestRanges(t *testing.T) {
	ranges := []awareness.Range{{10, 20}, {41, 41}, {50, 60}}
	if got, want := awareness.Ranges(ranges), "10-20, 41, 50-60"; got != want {
		t.Errorf("Ranges(%v) = %q, want %q", ranges, got, want)
	}
	if got := awareness.Ranges(nil); got != "" {
		t.Errorf("Ranges(nil) = %q", got)
	}
}

func TestFingerprint(t *testing.T) {
	lf, crlf := awareness.Fingerprint(text.Split("a\nb")), awareness.Fingerprint(text.Split("a\r\nb\r"))
	if diff := cmp.Diff(lf.Lines, crlf.Lines); diff != "" || lf.Sum == crlf.Sum {
		t.Errorf("C-166: lines with other ends (-LF +CRLF):\n%s", diff)
	}
	for _, n := range []int{0, 1, 8191, 8192, 8193, 100_000} {
		s := strings.Repeat("x", n)
		if got, want := fmt.Sprintf("%x", awareness.Sum(s)), slowSum(s); got != want {
			t.Errorf("Sum of %d bytes = %s, want %s", n, got, want)
		}
	}
}
