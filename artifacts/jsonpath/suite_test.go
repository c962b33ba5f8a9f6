package jsonpath_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/acode-ls/acode-ls/artifacts/jsonpath"
)

const suiteVariable = "ACODE_JSONPATH_SUITE"

// suiteCase is a case of the JSONPath Compliance Test Suite.
type suiteCase struct {
	Name     string
	Selector string
	Document json.RawMessage
	Result   json.RawMessage
	Results  []json.RawMessage
	Invalid  bool `json:"invalid_selector"`
}

// suitePath returns where the suite is: beside the repository, or where the
// environment says.
func suitePath(t *testing.T) string {
	if path := os.Getenv(suiteVariable); path != "" {
		return path
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil || folder == filepath.Dir(folder) {
			return filepath.Join(filepath.Dir(folder), "shared", "data", "jsonpath-compliance.json")
		}
		folder = filepath.Dir(folder)
	}
}

// TestSuite runs the public suite where it is at hand. TestEach holds the same
// rules in cases of our own.
func TestSuite(t *testing.T) {
	path := suitePath(t)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Logf("suite not here: %s", path)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var suite struct{ Tests []suiteCase }
	if err := json.Unmarshal(content, &suite); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range suite.Tests {
		if t.Run(c.Name, func(t *testing.T) { checkSuiteCase(t, c) }) {
			passed++
		}
	}
	t.Logf("%d of %d cases of the suite pass", passed, len(suite.Tests))
	if len(suite.Tests) < 700 {
		t.Errorf("the suite has %d cases, want at least 700", len(suite.Tests))
	}
}

func checkSuiteCase(t *testing.T, c suiteCase) {
	query, err := jsonpath.Parse(c.Selector)
	if c.Invalid {
		if _, ok := errors.AsType[*jsonpath.SyntaxError](err); !ok {
			t.Errorf("Parse(%q) gave error %v, want a *SyntaxError", c.Selector, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{string(c.Document), padded(string(c.Document))} {
		got := "[" + joined(selectBoth(t, query, document)) + "]"
		want := c.Results
		if c.Result != nil {
			want = append(want, c.Result)
		}
		if !slices.ContainsFunc(want, func(w json.RawMessage) bool { return compact(t, string(w)) == compact(t, got) }) {
			t.Errorf("%s selects %s, want one of %s", c.Selector, got, want)
		}
	}
}
