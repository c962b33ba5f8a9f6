package hook

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePatch(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, test := range []struct {
		name, patch string
		want        []change
	}{
		{"hunks", "*** Begin Patch\n*** Update File: a b.go\n@@ func F\n x\n-old\n+new\n@@\n\n+more\n*** End of File\n*** End Patch\n",
			[]change{{path: "a b.go", edits: []textEdit{{Old: "x\nold\n", New: "x\nnew\n"}, {Old: "\n", New: "\nmore\n"}}, texts: []string{"new\n", "more\n"}}}},
		{"no end", "*** Update File: a\n-x", []change{{path: "a", edits: []textEdit{{Old: "x\n"}}}}},
		{"CRLF", "*** Update File: a\r\n-x\r\n+y\r\n", []change{{path: "a", edits: []textEdit{{Old: "x\n", New: "y\n"}}, texts: []string{"y\n"}}}},
		{"new", "*** Add File: a\n+x\n+\n", []change{{path: "a", content: text("x\n\n"), texts: []string{"x\n", "\n"}}}},
		{"deleted", "*** Delete File: a\n*** Add File: b\n+x\n", []change{{path: "a", deletes: true}, {path: "b", content: text("x\n"), texts: []string{"x\n"}}}},
		{"moved", "*** Update File: a\n*** Move to: b\n x\n-y\n", []change{{path: "a", edits: []textEdit{{Old: "x\ny\n", New: "x\n"}}}, {path: "b"}}},
		{"context alone", "*** Update File: a\n x\n", []change{{path: "a"}}},
		{"text before", "please\n*** Update File: a\n-x\n", []change{{path: "a", edits: []textEdit{{Old: "x\n"}}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := parsePatch(test.patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(change{})); diff != "" {
				t.Errorf("parsePatch(%q) (-want +got):\n%s", test.patch, diff)
			}
		})
	}
}
