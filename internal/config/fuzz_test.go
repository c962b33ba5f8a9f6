package config_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/acode-ls/acode-ls/internal/config"
)

// FuzzParse wants a good Config or problems whose places are in the file, and
// of a good one that the schema takes the file too.
func FuzzParse(f *testing.F) {
	for _, test := range files {
		f.Add(test.file)
	}
	schema := compiledSchema(f)
	f.Fuzz(func(t *testing.T, file string) {
		c, problems := config.Parse("f", []byte(file))
		if (c == nil) != (len(problems) > 0) {
			t.Fatalf("Parse(%q) = %v, %v", file, c, problems)
		}
		checkPlaces(t, file, problems)
		if c == nil {
			return
		}
		checkRanges(t, c)
		if says := schemaOf(t, schema, strings.TrimPrefix(file, "\ufeff")); says != "" && !isEmpty(c) {
			t.Errorf("the schema says %s of %q", says, file)
		}
	})
}

// isEmpty reports whether a file set nothing: it may hold no mapping.
func isEmpty(c *config.Config) bool { return reflect.DeepEqual(c.Values(), config.Default().Values()) }

func checkPlaces(t *testing.T, file string, problems []config.Problem) {
	t.Helper()
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(file, "\ufeff")), "\n")
	for i, p := range problems {
		if p.Line == 0 && p.Column == 0 && len(problems) == 1 {
			continue
		}
		if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > utf8.RuneCountInString(lines[p.Line-1])+1 {
			t.Errorf("Parse(%q): %v is not in the file", file, p)
		}
		if i > 0 && (p.Line < problems[i-1].Line || p.Line == problems[i-1].Line && p.Column < problems[i-1].Column) {
			t.Errorf("Parse(%q): %v is not in order", file, p)
		}
		if p.File != "f" || p.Message == "" || strings.ContainsFunc(p.String(), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("Parse(%q): %+q cannot be told", file, p)
		}
	}
}

// checkRanges checks by hand what the tags of the structs say.
func checkRanges(t *testing.T, c *config.Config) {
	t.Helper()
	strategies := []string{"head_tail", "tail", "head", "element", "smart", "none"}
	names := []string{"", "read_file", "run_command"}
	for name := range c.Tools.Truncation.Overrides {
		names = append(names, name)
	}
	for _, name := range names {
		s := c.Tool(name)
		for _, n := range []int{s.InlineLimit, s.ArtifactThreshold, s.TailLines, s.HeadLines, s.MaxLineLength, s.MaxDepth} {
			if n < 1 || n > 1e9 {
				t.Errorf("Tool(%q) = %+v", name, s)
			}
		}
		if s.FirstElements < 0 || s.LastElements < 0 || s.FirstElements+s.LastElements < 1 || s.MaxArtifactSize < 1 ||
			!(0 < s.HeadRatio && s.HeadRatio < 1) || !slices.Contains(strategies, s.Strategy) {
			t.Errorf("Tool(%q) = %+v", name, s)
		}
	}
	store := c.Tools.Truncation.Artifacts
	for part := range strings.SplitSeq(store.StoragePath, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "\\:") {
			t.Errorf("storage_path is %q", store.StoragePath)
		}
	}
	if store.SessionQuota < 1 || store.MaxPerMinute < 1 || c.Tools.Awareness.AutoExpandLines < 1 ||
		c.Logging.MaxSizeMB < 1 || c.Logging.MaxAgeDays < 1 || c.Sessions.IdleTTL < time.Second {
		t.Errorf("out of range: %+v", c)
	}
	for _, p := range c.Tools.Redaction.Patterns {
		if re, err := regexp.Compile(p.Regex); err != nil || re.MatchString("") || p.Name == "" || strings.ContainsAny(p.Name, "]\n") {
			t.Errorf("pattern %+v", p)
		}
	}
}
