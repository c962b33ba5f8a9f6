package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var idPattern = regexp.MustCompile(`art_[0-9]+_[a-zA-Z0-9]+`)

// put stores content and returns the id of the artifact.
func put(t *testing.T, root, content string, args ...string) string {
	t.Helper()
	r := start(t, content, append([]string{"artifacts", "put", "--root", root}, args...)...)
	id := idPattern.FindString(r.stdout)
	if r.status != exitOK || id == "" {
		t.Fatalf("put exits %d: %s%s", r.status, r.stdout, r.stderr)
	}
	return id
}

// shown is the envelope of artifacts show and list.
type shown struct {
	OK   bool
	Data json.RawMessage
	Meta struct {
		Truncated bool
		Total     int    `json:"total_count"`
		Returned  int    `json:"returned_count"`
		Hint      string `json:"truncation_hint"`
	}
	Warnings []struct {
		Code     string
		Category string
		Field    string
		Original int `json:"original_bytes"`
		Returned int `json:"returned_bytes"`
	}
	Error struct {
		Code, Phase string
		Status      int
	}
}

// follow runs a command under a cap, then the hint of its answer as a shell
// would, until there is none, and calls part with each answer.
func follow(t *testing.T, limit int, args []string, part func(shown)) {
	t.Helper()
	t.Setenv("TOOL_MAX_OUTPUT_BYTES", strconv.Itoa(limit))
	for n := 0; args != nil; n++ {
		r := start(t, "", args...)
		if r.status != exitOK || len(r.stdout) > limit {
			t.Fatalf("%q = %d with %d bytes: %.300s%s", args, r.status, len(r.stdout), r.stdout, r.stderr)
		}
		var got shown
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatalf("%q: %v in %.300s", args, err, r.stdout)
		}
		if hinted := got.Meta.Hint != ""; hinted != got.Meta.Truncated || hinted != (len(got.Warnings) > 0) {
			t.Fatalf("%q: truncated is %v, with %d warnings and the hint %q", args, got.Meta.Truncated, len(got.Warnings), got.Meta.Hint)
		}
		part(got)
		if args = hinted(t, got.Meta.Hint); n > 2000 {
			t.Fatalf("no end, at %q", args)
		}
	}
}

// hinted splits a hint into arguments: those in single quotes hold none here.
func hinted(t *testing.T, hint string) []string {
	t.Helper()
	if hint == "" {
		return nil
	}
	rest, ok := strings.CutPrefix(hint, "acode-ls ")
	if !ok {
		t.Fatalf("hint %q runs no acode-ls", hint)
	}
	var args []string
	for i, piece := range strings.Split(rest, "'") {
		if i%2 == 1 {
			args = append(args, piece)
		} else {
			args = append(args, strings.Fields(piece)...)
		}
	}
	return args
}

// TestArtifactHints follows the hints of capped answers: together the parts are
// the artifact, without loss or repetition (F52-07, F52-08, C-108).
func TestArtifactHints(t *testing.T) {
	for name, content := range map[string]string{
		"lines":   numbered(900),
		"giant":   strings.Repeat("é\"\\\t😀<", 900),
		"CRLF":    strings.Repeat("one\r\n\r\ntwo\rthree\n", 400),
		"escapes": strings.Repeat("\"\\\t\x01<é😀\u2028 and so on\n", 200) + "no end",
		"empty":   "",
	} {
		root := t.TempDir()
		id := put(t, root, content)
		for _, limit := range []int{900, 1000, 2500, 40_000, 1 << 20} {
			t.Run(fmt.Sprintf("%s/%d", name, limit), func(t *testing.T) {
				var got strings.Builder
				follow(t, limit, []string{"artifacts", "show", id, "--root", root, "--json"}, func(s shown) {
					var data struct {
						Content string
						Range   struct {
							Start int `json:"start_byte"`
							End   int `json:"end_byte"`
						}
						Total int `json:"total_bytes"`
					}
					if err := json.Unmarshal(s.Data, &data); err != nil {
						t.Fatal(err)
					}
					if data.Range.Start != got.Len() || data.Total != len(content) || len(data.Content) < data.Range.End-data.Range.Start {
						t.Fatalf("after %d bytes comes %+v", got.Len(), data)
					}
					part := data.Content[:data.Range.End-data.Range.Start]
					got.WriteString(part)
					marker := data.Content[len(part):]
					if marked := strings.HasPrefix(marker, " ... [") && strings.HasSuffix(marker, " chars omitted] ..."); marked != s.Meta.Truncated {
						t.Fatalf("truncated is %v behind %q", s.Meta.Truncated, marker)
					}
				})
				if diff := cmp.Diff(content, got.String()); diff != "" {
					t.Errorf("all parts (-want +got):\n%.2000s", diff)
				}
			})
		}
	}
}

// TestArtifactQueryHints follows the hints of capped queries, however long the
// query is: each value comes once, whole, and in order.
func TestArtifactQueryHints(t *testing.T) {
	const values = 300
	var list []string
	for i := range values {
		list = append(list, fmt.Sprintf(`{"i":%d,"s":"é\"%s"}`, i, strings.Repeat("x", i%40)))
	}
	root := t.TempDir()
	id := put(t, root, `{"v":[`+strings.Join(list, ",")+`]}`)
	long := `$.v[?(` + strings.Repeat(`@.i != "a" && `, 20) + `@.i >= 0)]`
	for _, query := range []string{"$.v[*]", long} {
		for _, limit := range []int{1400, 2500, 20_000, 1 << 20} {
			t.Run(fmt.Sprintf("%d/%d", len(query), limit), func(t *testing.T) {
				var got []string
				follow(t, limit, []string{"artifacts", "show", id, "--query", query, "--root", root, "--json"}, func(s shown) {
					var data struct{ Content string }
					var part []json.RawMessage
					if err := json.Unmarshal(s.Data, &data); err != nil {
						t.Fatal(err)
					}
					if err := json.Unmarshal([]byte(data.Content), &part); err != nil {
						t.Fatalf("the values are no list: %v in %s", err, data.Content)
					}
					for _, value := range part {
						got = append(got, string(value))
					}
					if s.Meta.Truncated && (s.Meta.Total != values || s.Meta.Returned != len(part)) {
						t.Fatalf("%d of %d values are announced, %d came", s.Meta.Returned, s.Meta.Total, len(part))
					}
					for _, w := range s.Warnings {
						if w.Code != "FIELD_TRUNCATED" || w.Category != "TRUNCATION" || w.Field != "data.content" || w.Returned != len(data.Content) || w.Original <= w.Returned {
							t.Fatalf("warning %+v of %d bytes", w, len(data.Content))
						}
					}
				})
				if diff := cmp.Diff(list, got); diff != "" {
					t.Errorf("all values (-want +got):\n%.2000s", diff)
				}
			})
		}
	}
}

// TestArtifactListHints follows pages of a long list, both those of --limit and
// those of the cap (F52-12, F64-10).
func TestArtifactListHints(t *testing.T) {
	root := t.TempDir()
	const count = 1000
	var want []string
	first := put(t, root, "x")
	sidecar := filepath.Join(root, ".acode", "artifacts", first+".meta.json")
	side, err := os.ReadFile(sidecar)
	if err != nil {
		t.Fatal(err)
	}
	for i := range count { // as if made one after the other, at one time
		id := fmt.Sprintf("%s%04d", first[:len(first)-4], i)
		name := filepath.Join(filepath.Dir(sidecar), id)
		if os.WriteFile(name+".txt", []byte("x"), 0o600) != nil ||
			os.WriteFile(name+".meta.json", bytes.ReplaceAll(side, []byte(first), []byte(id)), 0o600) != nil {
			t.Fatal("writing artifacts")
		}
		want = append(want, id)
	}
	if err := os.Remove(sidecar); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		limit int
		args  []string
	}{{100_000, nil}, {1 << 20, nil}, {1 << 20, []string{"--limit", "300"}}, {60_000, []string{"--limit", "300"}}} {
		t.Run(fmt.Sprint(test.limit, test.args), func(t *testing.T) {
			var got []string
			follow(t, test.limit, append([]string{"artifacts", "list", "--root", root, "--json"}, test.args...), func(s shown) {
				var page []struct{ ID string }
				if err := json.Unmarshal(s.Data, &page); err != nil {
					t.Fatal(err)
				}
				for _, a := range page {
					got = append(got, a.ID)
				}
				if s.Meta.Truncated && (s.Meta.Total != count || s.Meta.Returned != len(page)) {
					t.Fatalf("%d of %d are announced, %d came", s.Meta.Returned, s.Meta.Total, len(page))
				}
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("all pages (-want +got):\n%.1000s", diff)
			}
		})
	}
}

// TestTinyCaps: whatever the cap, an answer is one whole envelope that owns up
// to what is missing, and what it hints at runs (C-106, F64-08).
func TestTinyCaps(t *testing.T) {
	root := t.TempDir()
	text, data := put(t, root, numbered(500)), put(t, root, `{"v":[`+strings.Repeat(`"0123456789",`, 500)+`0]}`)
	for limit := 50; limit < 1200; limit += 25 {
		for _, args := range [][]string{
			{"artifacts", "show", text}, {"artifacts", "show", data, "--query", "$.v[*]"}, {"artifacts", "list"}, {"artifacts", "info", text},
		} {
			t.Setenv("TOOL_MAX_OUTPUT_BYTES", strconv.Itoa(limit))
			r := start(t, "", append(args, "--root", root, "--json")...)
			var got shown
			if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
				t.Fatalf("%d: %q: %v in %s", limit, args, err, r.stdout)
			}
			switch {
			case r.status == exitUsage && !got.OK: // not even an empty envelope
				continue
			case r.status != exitOK || len(r.stdout) > limit:
				t.Fatalf("%d: %q = %d with %d bytes: %s", limit, args, r.status, len(r.stdout), r.stdout)
			case !got.Meta.Truncated && limit < 1000 && args[1] == "show":
				t.Fatalf("%d: %q is cut without a word: %s", limit, args, r.stdout)
			case got.Meta.Hint == "" && limit >= 700 && args[1] == "show":
				t.Fatalf("%d: %q has no hint: %s", limit, args, r.stdout)
			}
			t.Setenv("TOOL_MAX_OUTPUT_BYTES", "")
			if next := hinted(t, got.Meta.Hint); next != nil {
				if r := start(t, "", next...); r.status != exitOK || r.stdout == "" {
					t.Fatalf("%d: the hint %q = %d: %s", limit, got.Meta.Hint, r.status, r.stderr)
				}
			}
		}
	}
}

func settings(t *testing.T, root, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(root, ".agent"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".agent", "config.yml"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
