package artifacts_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/text"
)

// open1 returns content as an artifact.
func open1(t testing.TB, content string, compress bool) *artifacts.Artifact {
	t.Helper()
	s := open(t, t.TempDir(), artifacts.Options{Compress: compress})
	a, err := s.Get("s", mustPut(t, s, "s", content).ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// TestLines: lines count from 1, both ends included (FR-064, C-71).
func TestLines(t *testing.T) {
	const content = "one\ntwo\r\nthree\rfour"
	a := open1(t, content, false)
	for _, test := range []struct {
		first, last int
		want        string // the span's text, or an error
		from, to    int
	}{
		{1, 1, "one\n", 1, 1},
		{2, 3, "two\r\nthree\r", 2, 3},
		{4, 4, "four", 4, 4},
		{4, 99, "four", 4, 4},
		{2, 0, "two\r\nthree\rfour", 2, 4},
		{0, 2, "one\ntwo\r\n", 1, 2},
		{0, 0, content, 1, 4},
		{5, 6, "no lines 5-6: the artifact has 4, and they must start at 1 or later, and end where they start or later", 0, 0},
		{5, 0, "no lines 5-: the artifact has 4, and they must start at 1 or later, and end where they start or later", 0, 0},
		{3, 2, "no lines 3-2: the artifact has 4, and they must start at 1 or later, and end where they start or later", 0, 0},
		{-1, 2, "no lines -1-2: the artifact has 4, and they must start at 1 or later, and end where they start or later", 0, 0},
		{1, -2, "no lines 1--2: the artifact has 4, and they must start at 1 or later, and end where they start or later", 0, 0},
	} {
		span, err := a.Lines(test.first, test.last)
		if test.from == 0 {
			if !is[*artifacts.RangeError](err) || err.Error() != test.want {
				t.Errorf("lines %d-%d: %v", test.first, test.last, err)
			}
			continue
		}
		got, errRead := spanOf(a, span)
		if err != nil || errRead != nil || got != test.want || span.FirstLine != test.from || span.LastLine != test.to {
			t.Errorf("lines %d-%d are %q, %+v, %v", test.first, test.last, got, span, err)
		}
	}
	empty := open1(t, "", false)
	if span, err := empty.Lines(0, 0); span != (artifacts.Span{FirstLine: 1}) || err != nil {
		t.Error(span, err)
	}
	if _, err := empty.Lines(1, 5); !is[*artifacts.RangeError](err) {
		t.Error(err)
	}
}

// TestBytes: bytes count from 0, the end excluded; a character is there whole
// or not (C-70).
func TestBytes(t *testing.T) {
	a := open1(t, "aé€\n😀\r\nb\xff", false) // a 0, é 1, € 3, \n 6, 😀 7, \r\n 11, b 13, \xff 14
	for _, test := range []struct {
		start, end int64
		want       string // "" for an error
		span       artifacts.Span
	}{
		{0, 1, "a", artifacts.Span{FirstLine: 1, LastLine: 1, Start: 0, End: 1}},
		{0, 2, "a", artifacts.Span{FirstLine: 1, LastLine: 1, Start: 0, End: 1}},
		{2, 6, "€", artifacts.Span{FirstLine: 1, LastLine: 1, Start: 3, End: 6}},
		{3, 7, "€\n", artifacts.Span{FirstLine: 1, LastLine: 1, Start: 3, End: 7}},
		{3, 10, "€\n", artifacts.Span{FirstLine: 1, LastLine: 1, Start: 3, End: 7}},
		{6, 11, "\n😀", artifacts.Span{FirstLine: 1, LastLine: 2, Start: 6, End: 11}},
		{12, 14, "\nb", artifacts.Span{FirstLine: 2, LastLine: 3, Start: 12, End: 14}},
		{8, 12, "\r", artifacts.Span{FirstLine: 2, LastLine: 2, Start: 11, End: 12}},
		{14, 0, "\xff", artifacts.Span{FirstLine: 3, LastLine: 3, Start: 14, End: 15}},
		{13, 999, "b\xff", artifacts.Span{FirstLine: 3, LastLine: 3, Start: 13, End: 15}},
		{0, 0, "aé€\n😀\r\nb\xff", artifacts.Span{FirstLine: 1, LastLine: 3, Start: 0, End: 15}},
		{8, 10, "", artifacts.Span{FirstLine: 2, LastLine: 1, Start: 11, End: 11}},
	} {
		span, err := a.Bytes(test.start, test.end)
		got, errRead := spanOf(a, span)
		if err != nil || errRead != nil || got != test.want || span != test.span {
			t.Errorf("bytes %d-%d are %q, %+v, want %+v, %v, %v", test.start, test.end, got, span, test.span, err, errRead)
		}
	}
	for _, test := range []struct{ start, end int64 }{{-1, 3}, {0, -1}, {3, 3}, {4, 3}, {15, 0}, {15, 16}} {
		if _, err := a.Bytes(test.start, test.end); !is[*artifacts.RangeError](err) {
			t.Errorf("bytes %d-%d: %v", test.start, test.end, err)
		}
	}
	if _, err := a.Bytes(15, 0); err.Error() != "no bytes 15-: the artifact has 15, and they must start at 0 or later, and end after their start" {
		t.Error(err)
	}
	for _, span := range []artifacts.Span{{Start: -1, End: 2}, {Start: 3, End: 2}, {Start: 3, End: 16}} {
		if _, err := a.Reader(span); !is[*artifacts.RangeError](err) {
			t.Errorf("%+v: %v", span, err)
		}
	}
}

// TestReader: the reader is a reader, of any span.
func TestReader(t *testing.T) {
	content := strings.Repeat("0123456789\n", 1000)
	a := open1(t, content, false)
	span, err := a.Lines(10, 990)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Reader(span)
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(r, []byte(content[99:10890])); err != nil {
		t.Error(err)
	}
}

// blocks is content whose interesting places lie where blocks and compressed
// members meet.
func blocks(unit string) string {
	const block = 64 << 10
	var b strings.Builder
	for b.Len() < 20*block {
		// What comes next starts 2, 1 or 0 bytes before an edge.
		for b.Len()%block != block-2+b.Len()/block%3 && b.Len()%block != block-1 {
			b.WriteString("x")
		}
		b.WriteString(unit)
	}
	return b.String()
}

// TestEdges compares with a split of the whole text what blocks and members
// part (FR-064).
func TestEdges(t *testing.T) {
	for _, unit := range []string{"\r\n", "\r", "\n", "\r\r\n\n", "\n\r", "€", "😀\r\n", "\r😀"} {
		content := blocks(unit)
		for _, compress := range []bool{false, true} {
			a := open1(t, content, compress)
			lines := text.Split(content)
			if got := a.Info().Lines; got != lines.Len() {
				t.Fatalf("%q: %d lines, want %d", unit, got, lines.Len())
			}
			for n := 1; n <= lines.Len(); n++ {
				span, err := a.Lines(n, n)
				if err != nil || span.Start != int64(lines.Start(n)) || span.End != int64(lines.Start(n+1)) {
					t.Fatalf("%q: line %d is %+v, want %d-%d, %v", unit, n, span, lines.Start(n), lines.Start(n+1), err)
				}
			}
			for edge := 64 << 10; edge < len(content); edge += 64 << 10 {
				for offset := edge - 5; offset < min(edge+5, len(content)); offset++ {
					check(t, a, lines, int64(offset), min(int64(offset)+4, int64(len(content))))
				}
			}
			span, err := a.Bytes(700_001, 0)
			got, errRead := spanOf(a, span)
			if err != nil || errRead != nil || got != content[span.Start:] {
				t.Errorf("%q: the second half differs: %v, %v", unit, err, errRead)
			}
		}
	}
}

// check compares a range of bytes with the plain text.
func check(t *testing.T, a *artifacts.Artifact, lines text.Lines, start, end int64) {
	t.Helper()
	whole := lines.Text()
	from, to := int(start), text.Floor(whole, int(end))
	for text.Floor(whole, from) < from {
		from++
	}
	to = max(from, to)
	first := lines.LineAt(min(from, len(whole)-1))
	want := artifacts.Span{FirstLine: first, LastLine: first - 1, Start: int64(from), End: int64(to)}
	if from < to {
		want.LastLine = lines.LineAt(to - 1)
	}
	span, err := a.Bytes(start, end)
	if err != nil || span != want {
		t.Fatalf("bytes %d-%d are %+v, want %+v, %v", start, end, span, want, err)
	}
	if got, err := spanOf(a, span); err != nil || got != whole[from:to] {
		t.Fatalf("bytes %d-%d are %q, want %q, %v", start, end, got, whole[from:to], err)
	}
}

// FuzzSpans compares lines and bytes with slices of the text, which is repeated
// to be longer than a block.
func FuzzSpans(f *testing.F) {
	for _, seed := range []string{"", "a", "a\n", "a\r\nb\rc\n", "\r", "é€😀", "\xff\xf0\x9f", "\r\n\r\n\n"} {
		f.Add(seed, uint32(0), 0, 0)
		f.Add(seed, uint32(1<<16), 1, 3)
		f.Add(seed, uint32(1<<16-1), 4, 9000)
	}
	f.Fuzz(func(t *testing.T, unit string, pad uint32, start, end int) {
		content := strings.Repeat("x", int(pad%(1<<17))) + strings.Repeat(unit, 1+int(pad%7))
		a := open1(t, content, false)
		lines := text.Split(content)
		if info := a.Info(); info.Lines != lines.Len() || info.Characters != int64(text.CodePoints(content)) {
			t.Fatalf("%+v of %d lines", info, lines.Len())
		}
		if _, err := a.Lines(start, end); err == nil && start > lines.Len() {
			t.Fatalf("lines from %d of %d", start, lines.Len())
		}
		first := start
		if lines.Len() > 0 {
			first = 1 + int(uint(start)%uint(lines.Len()))
			last := first + int(uint(end)%100)
			span, err := a.Lines(first, last)
			if got, errRead := spanOf(a, span); err != nil || errRead != nil || got != lines.Span(first, min(last, lines.Len())) {
				t.Fatalf("lines %d-%d are %q, %v, %v", first, last, got, err, errRead)
			}
		}
		if len(content) > 0 {
			from := int64(uint(start) % uint(len(content)))
			check(t, a, lines, from, min(from+1+int64(uint(end)%100), int64(len(content))))
		}
	})
}

// FuzzID: what is taken for an id is one by its pattern.
func FuzzID(f *testing.F) {
	for _, seed := range []string{"", "art_1_a", "art_1_a/..", "art__", "art_1_a_", "../x", "art_12_zZ9"} {
		f.Add(seed)
	}
	root := f.TempDir()
	s := open(f, root, artifacts.Options{})
	mustPut(f, s, "s", "x")
	f.Fuzz(func(t *testing.T, id string) {
		_, err := s.Get("", id)
		want := len(id) <= 64 && inputForm.MatchString(id)
		if want == is[*artifacts.IDError](err) || err == nil {
			t.Fatalf("%q: %v", id, err)
		}
	})
}

// TestPieces: how content is cut into writes does not show.
func TestPieces(t *testing.T) {
	content := strings.Repeat("ä\r\nb\rc", 300_000)
	for _, compress := range []bool{false, true} {
		for _, size := range []int{7, 4096, 70_001, 1 << 20} {
			root := t.TempDir()
			s := open(t, root, artifacts.Options{Compress: compress})
			w, err := s.Create("s", artifacts.Meta{})
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(content); at += size {
				if _, err := w.Write([]byte(content[at:min(at+size, len(content))])); err != nil {
					t.Fatal(err)
				}
			}
			info, _, err := w.Commit("", "")
			if err != nil {
				t.Fatal(err)
			}
			if info.Lines != 600_001 || info.Characters != 1_800_000 {
				t.Errorf("pieces of %d: %d lines, %d characters", size, info.Lines, info.Characters)
			}
			mustRead(t, s, "s", info.ID, content)
		}
	}
}

// TestOften: an artifact that is read again and again stays right when more
// are read than are remembered.
func TestOften(t *testing.T) {
	s := open(t, t.TempDir(), artifacts.Options{Now: later})
	var infos []artifacts.Info
	for i := range 70 {
		infos = append(infos, mustPut(t, s, "s", fmt.Sprint("number ", i)))
	}
	for range 3 {
		for i, info := range infos {
			mustRead(t, s, "s", info.ID, fmt.Sprint("number ", i))
		}
	}
}
