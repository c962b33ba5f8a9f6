package signatures_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/signatures"
)

// TestPieceStarts shows where texts are cut: in each source, "FILL" stands for
// a comment that is long enough for a piece, and "CUT" for where the next one
// starts.
func TestPieceStarts(t *testing.T) {
	for _, test := range []struct {
		name string
		lang signatures.Language
		src  string
	}{
		{"functions", signatures.Go, "package p\nfunc A() {\n//FILL\n}\nCUT\n// B is.\nfunc B() {\n//FILL\n}\nCUTvar c = 1\n"},
		{"small functions", signatures.Go, "package p\nfunc A() {}\nfunc B() {}\n"},
		{"a group", signatures.Go, "package p\nconst (\n//FILL\n\ta = 1\n\tb = 2\n)\nfunc F() {}\nCUTvar c = 1\n"},
		{"CRLF", signatures.Go, "package p\r\nfunc A() {\r\n//FILL\r\n}\r\nCUTvar c = 1\r\n"},
		{"two on a line", signatures.Go, "package p\n//FILL\nvar a = 1; var b = 2\nCUTfunc F() {}\n"},
		{"one behind another", signatures.Go, "package p\n//FILL\nvar a = 1; type T struct {\nX int\n}\nCUTfunc F() {}\n"},
		{"methods", signatures.TypeScript, "class A {\n//FILL\nm() {\n  }\nn() {\n  }\n}\nCUT@decorator\nclass B {}\n"},
		{"methods before an indented line", signatures.TypeScript, "class A {\n//FILL\nm() {\n  }\nn() {\n  }\n}\n  // c\nlet x\nCUTlet y\n"},
		{"one in another", signatures.TypeScript, "namespace N {\n//FILL\nexport class A {}\nexport class B {}\n}\nCUTlet x\n"},
		{"declarators", signatures.JavaScript, "//FILL\nlet a = 1,\n  b = 2\nlet c\nCUTlet d\n"},
		{"a branch", signatures.Python, "#FILL\nif x:\n    def f(): pass\nelse:\n    def g(): pass\ndef h(): pass\nCUTx = 1\n"},
		{"a decorator", signatures.Python, "def f():\n    pass #FILL\nCUT@decorator\ndef g(): pass\n"},
		{"a string over lines", signatures.Python, "#FILL\nx = '''\ndef f(): pass\n'''\nCUTy = 1\n"},
		{"no scanner", signatures.Rust, "fn f() {\n//FILL\n}\nfn g() {}\n"},
	} {
		src := strings.ReplaceAll(test.src, "FILL", strings.Repeat("x", 3<<10))
		want := strings.Split(src, "CUT")
		if diff := cmp.Diff(want, signatures.Pieces(strings.Join(want, ""), test.lang)); diff != "" {
			t.Errorf("%s: pieces (-want +got):\n%s", test.name, diff)
		}
	}
}
