package redact_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/redact"
)

func options(strict, patterns bool) redact.Options {
	o := redact.Options{Strict: strict}
	if patterns {
		o.Patterns = []redact.Pattern{{"upper", `[A-Z]{5,}`}, {"ticket", `key-(\d+)`}, {"end", `x$`}}
	}
	return o
}

func seed(f *testing.F) {
	for _, tt := range found {
		f.Add(tt.text, false, false)
	}
	for _, text := range kept {
		f.Add(text, false, true)
	}
	f.Add("password=[REDACTED: PASSWORD]**\npassword=hunter2", true, true)
}

// lines counts the lines of s slowly.
func lines(s string) int {
	return strings.Count(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), "\n")
}

func FuzzText(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string, strict, patterns bool) {
		r := redactor(t, options(strict, patterns))
		got := r.Text(s)
		if got.Count == 0 && got.Text != s {
			t.Errorf("Text(%q) = %q, but Count is 0", s, got.Text)
		}
		if lines(got.Text) != lines(s) {
			t.Errorf("Text(%q) = %q: %d line breaks, want %d", s, got.Text, lines(got.Text), lines(s))
		}
		sum := 0
		for _, c := range got.Types {
			sum += c.Count
		}
		if sum != got.Count {
			t.Errorf("Text(%q): Types %v add up to %d, Count is %d", s, got.Types, sum, got.Count)
		}
		last := -1
		for _, l := range got.Lines {
			if l.First <= last+1 && last >= 0 || l.Last < l.First || l.Last > lines(s)+1 || l.First < 1 {
				t.Errorf("Text(%q): Lines %v are not ascending and merged within %d lines", s, got.Lines, lines(s)+1)
			}
			last = l.Last
		}
		// What surrounds a placeholder is other text than before, so more may
		// be found there, but no placeholder is touched.
		const opening = "[REDACTED: "
		if again := r.Text(got.Text); strings.Count(again.Text, opening) != strings.Count(got.Text, opening)+again.Count {
			t.Errorf("Text(%q) = %q, redacted again %q", s, got.Text, again.Text)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, strict bool) {
		r := redactor(t, options(strict, true))
		got := r.JSON(s)
		if json.Valid([]byte(s)) != (json.Valid([]byte(got.Text))) {
			t.Errorf("JSON(%q) = %q, which is not as valid", s, got.Text)
		}
		if lines(got.Text) != lines(s) {
			t.Errorf("JSON(%q) = %q: %d line breaks, want %d", s, got.Text, lines(got.Text), lines(s))
		}
		b, err := json.Marshal(map[string]string{"password": s, s: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if text := r.JSON(string(b)).Text; !json.Valid([]byte(text)) {
			t.Errorf("JSON(%q) = %q, which is not JSON", b, text)
		}
	})
}

// checkStream writes s in pieces whose lengths are at most most and compares
// with the whole.
func checkStream(t *testing.T, r *redact.Redactor, s string, random *rand.Rand, most int) {
	t.Helper()
	want := r.Text(s)
	var b strings.Builder
	w := r.NewWriter(&b)
	for rest := s; rest != ""; {
		n := min(len(rest), 1+random.IntN(most))
		if k, err := w.WriteString(rest[:n]); k != n || err != nil {
			t.Fatalf("WriteString of %d bytes = %d, %v", n, k, err)
		}
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != want.Text {
		i := 0
		for i < min(len(got), len(want.Text)) && got[i] == want.Text[i] {
			i++
		}
		t.Errorf("the stream of %d bytes differs at %d: %.200q, want %.200q", len(s), i, got[max(0, i-40):], want.Text[max(0, i-40):])
	}
	count, types := w.Result()
	if diff := cmp.Diff(want.Types, types); diff != "" || count != want.Count {
		t.Errorf("Result() = %d %v, want %d %v", count, types, want.Count, want.Types)
	}
}

// FuzzStream lays s where the writer cuts its buffer.
func FuzzStream(f *testing.F) {
	for i := 0; i < len(found); i += 20 {
		f.Add(found[i].text, found[i].text, uint64(i), false, i%40 == 0)
	}
	f.Fuzz(func(t *testing.T, s, between string, seed uint64, strict, patterns bool) {
		r := redactor(t, options(strict, patterns))
		random := rand.New(rand.NewPCG(seed, 1))
		text := longText(random, s, between)
		checkStream(t, r, text, random, 300_000)
	})
}

// longText returns about 350 KB: more than a Writer looks at together, with s and between at many places.
func longText(random *rand.Rand, s, between string) string {
	var b strings.Builder
	for b.Len() < 350_000 {
		switch random.IntN(6) {
		case 0:
			b.WriteString(s)
		case 1:
			b.WriteString(between)
		case 2:
			b.WriteString(strings.Repeat(" .x-\n"[random.IntN(5):][:1], random.IntN(3000)))
		case 3:
			b.WriteString(kept[random.IntN(len(kept))])
		case 4:
			b.WriteString(found[random.IntN(len(found))].text)
		case 5:
			b.WriteString(" \n=:\"\\"[random.IntN(6):][:1])
		}
		if len(s)+len(between) > 20_000 && b.Len() > 0 {
			b.WriteString(strings.Repeat("y ", 40_000))
		}
	}
	return b.String()
}

func TestStream(t *testing.T) {
	for i := range 6 {
		r := redactor(t, options(i%3 == 1, i%3 == 2))
		random := rand.New(rand.NewPCG(uint64(i), 2))
		text := longText(random, found[random.IntN(len(found))].text, "password: \"hunter2\"")
		checkStream(t, r, text, random, 1<<uint(6+2*i))
	}
	checkStream(t, redactor(t, redact.Options{}), "", rand.New(rand.NewPCG(0, 0)), 1)
	checkStream(t, redactor(t, redact.Options{}), "password=hunter2", rand.New(rand.NewPCG(0, 0)), 1)
	checkStream(t, redactor(t, options(true, true)), strings.Repeat("X", 600_000), rand.New(rand.NewPCG(0, 0)), 100_000)
}

// Where a writer cuts, a long run may be under way.
func TestStreamRun(t *testing.T) {
	r := redactor(t, redact.Options{})
	text := strings.Repeat("see "+x40+"\n", 3500)
	for i := range len("see " + x40) {
		checkStream(t, r, text[i:], rand.New(rand.NewPCG(0, 0)), 1<<20)
	}
}

// failing takes n bytes.
type failing struct{ n int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestStreamError(t *testing.T) {
	w := redactor(t, redact.Options{}).NewWriter(&failing{100_000})
	_, err := w.WriteString(strings.Repeat("a\n", 500_000))
	if !errors.Is(err, errFull) {
		t.Errorf("WriteString to a full destination = %v, want %v", err, errFull)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close after an error = %v, want %v", err, errFull)
	}
}
