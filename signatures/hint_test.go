package signatures_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/signatures"
)

func named(labels ...string) []signatures.Declaration {
	declarations := make([]signatures.Declaration, len(labels))
	for i, label := range labels {
		declarations[i].Label = strings.TrimLeft(label, " ")
		declarations[i].Depth = len(label) - len(declarations[i].Label)
	}
	return declarations
}

func TestHint(t *testing.T) {
	var functions, members []string
	for i := range 100 {
		functions = append(functions, fmt.Sprintf("function handle%02d()", i))
	}
	for i := range 40 {
		members = append(members, fmt.Sprintf("class Class%02d", i), fmt.Sprintf(" method Class%02d.member()", i))
	}
	for _, test := range []struct {
		name string
		in   []signatures.Declaration
		want string
	}{
		{"none", nil, ""},
		{"as in the notice", named("function handleAuth()", "function refreshToken()", "export default AuthProvider", "class TokenCache"),
			"function handleAuth(), function refreshToken(), export default AuthProvider, class TokenCache"},
		{"one label once", named("def value()", "def value()", "class C"), "def value(), class C"},
		{"too many", named(functions...), strings.Join(functions[:23], ", ") + ", +77 more"},
		{"outer before inner", named(members...), "class Class00, class Class01, "},
		{"exactly 500", named(strings.Repeat("x", 500)), strings.Repeat("x", 500)},
		{"501", named(strings.Repeat("x", 501)), ""},
		{"characters, not bytes", named(strings.Repeat("ü", 500)), strings.Repeat("ü", 500)},
		{"a second that does not fit", named("class A", strings.Repeat("x", 500)), "class A, +1 more"},
	} {
		got := signatures.Hint(test.in)
		if test.name == "outer before inner" {
			if !strings.HasPrefix(got, test.want) || !strings.Contains(got, "class Class39, +") && !strings.Contains(got, "more") {
				t.Errorf("%s: Hint = %q", test.name, got)
			}
			continue
		}
		if got != test.want {
			t.Errorf("%s: Hint = %q, want %q", test.name, got, test.want)
		}
	}
}

// TestHintOutermost fills what the outer declarations leave with inner ones,
// each in its place.
func TestHintOutermost(t *testing.T) {
	wide := strings.Repeat("m", 240)
	got := signatures.Hint(named("class A", " "+wide+"1", " "+wide+"2", "class B"))
	want := "class A, " + wide + "1, class B, +1 more"
	if got != want {
		t.Errorf("Hint = %q, want %q", got, want)
	}
	got = signatures.Hint(named(" "+wide+"11111", " "+wide+"22222", " class A", "class A"))
	want = wide + "11111, class A, +1 more"
	if got != want {
		t.Errorf("Hint with an inner and an outer class A = %q, want %q", got, want)
	}
}

func FuzzHint(f *testing.F) {
	f.Add("class A\n method A.m()\nclass B", 10)
	f.Fuzz(func(t *testing.T, labels string, times int) {
		var all []string
		for i := range max(0, min(times, 200)) {
			for line := range strings.SplitSeq(labels, "\n") {
				all = append(all, fmt.Sprint(line, i))
			}
		}
		if got := utf8.RuneCountInString(signatures.Hint(named(all...))); got > 500 {
			t.Errorf("Hint of %q has %d characters, want at most 500", all, got)
		}
	})
}
