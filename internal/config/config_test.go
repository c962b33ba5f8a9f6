package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/acode-ls/acode-ls/internal/config"
)

// parse returns the settings of a file that must be good.
func parse(t *testing.T, file string) *config.Config {
	t.Helper()
	c, problems := config.Parse(config.File, []byte(file))
	if len(problems) > 0 {
		t.Fatalf("Parse(%q): %v", file, config.Problems(problems))
	}
	return c
}

// values returns the values of keys, as text.
func values(c *config.Config) map[string]string {
	out := map[string]string{}
	for _, v := range c.Values() {
		out[v.Key] = fmt.Sprint(v.Value)
	}
	return out
}

// TestDefaults proves the keys and defaults of CFG-01..44 and CFG-X1..X9, and
// FR-007..009, FR-023, FR-028, FR-071..075.
func TestDefaults(t *testing.T) {
	want := map[string]string{
		"tools.truncation.inline_limit":                                               "8000",
		"tools.truncation.artifact_threshold":                                         "50000",
		"tools.truncation.max_artifact_size":                                          "10485760",
		"tools.truncation.default_strategy":                                           "head_tail",
		"tools.truncation.head_ratio":                                                 "0.6",
		"tools.truncation.line_truncation.tail_lines":                                 "200",
		"tools.truncation.line_truncation.head_lines":                                 "300",
		"tools.truncation.line_truncation.max_line_length":                            "500",
		"tools.truncation.element_truncation.first_elements":                          "5",
		"tools.truncation.element_truncation.last_elements":                           "5",
		"tools.truncation.element_truncation.max_depth":                               "3",
		"tools.truncation.element_truncation.preserve_json":                           "true",
		"tools.truncation.smart_truncation.enabled":                                   "false",
		"tools.truncation.smart_truncation.preserve_functions":                        "true",
		"tools.truncation.smart_truncation.prioritize_errors":                         "true",
		"tools.truncation.artifacts.storage_path":                                     ".acode/artifacts",
		"tools.truncation.artifacts.cleanup_on_exit":                                  "true",
		"tools.truncation.artifacts.compress_large":                                   "false",
		"tools.truncation.artifacts.enable_partial_retrieval":                         "true",
		"tools.truncation.artifacts.session_quota":                                    "1073741824",
		"tools.truncation.artifacts.max_per_minute":                                   "120",
		"tools.truncation.artifacts.detailed_listing":                                 "true",
		"tools.truncation.artifacts.sign":                                             "false",
		"tools.truncation.metadata.include_original_size":                             "true",
		"tools.truncation.metadata.include_token_estimate":                            "true",
		"tools.truncation.metadata.include_strategy":                                  "true",
		"tools.truncation.metadata.include_retrieval_instructions":                    "true",
		"tools.truncation.overrides.execute_command.strategy":                         "tail",
		"tools.truncation.overrides.execute_command.inline_limit":                     "5000",
		"tools.truncation.overrides.execute_command.line_truncation.tail_lines":       "150",
		"tools.truncation.overrides.read_file.strategy":                               "head_tail",
		"tools.truncation.overrides.read_file.inline_limit":                           "12000",
		"tools.truncation.overrides.read_file.head_ratio":                             "0.65",
		"tools.truncation.overrides.list_directory.strategy":                          "element",
		"tools.truncation.overrides.list_directory.inline_limit":                      "10000",
		"tools.truncation.overrides.list_directory.element_truncation.first_elements": "10",
		"tools.truncation.overrides.list_directory.element_truncation.last_elements":  "5",
		"tools.truncation.overrides.search_files.strategy":                            "element",
		"tools.truncation.overrides.search_files.inline_limit":                        "15000",
		"tools.truncation.overrides.search_files.element_truncation.first_elements":   "8",
		"tools.truncation.overrides.search_files.element_truncation.last_elements":    "3",
		"tools.truncation.overrides.git_diff.strategy":                                "smart",
		"tools.truncation.overrides.git_diff.inline_limit":                            "20000",
		"tools.truncation.overrides.git_diff.smart_truncation.preserve_functions":     "true",
		"tools.truncation.overrides.http_request.strategy":                            "element",
		"tools.truncation.overrides.http_request.inline_limit":                        "10000",
		"tools.truncation.overrides.http_request.element_truncation.preserve_json":    "true",
		"tools.truncation.overrides.http_request.element_truncation.max_depth":        "2",
		"tools.awareness.auto_expand":                                                 "true",
		"tools.awareness.auto_expand_lines":                                           "40",
		"tools.awareness.stale_policy":                                                "warn",
		"tools.redaction.enabled":                                                     "true",
		"tools.redaction.strict":                                                      "false",
		"tools.redaction.patterns":                                                    "[]",
		"sessions.idle_ttl":                                                           "24h",
		"logging.max_size_mb":                                                         "10",
		"logging.max_age_days":                                                        "7",
		"logging.otlp_endpoint":                                                       "",
	}
	general := map[string]string{ // what overrides leave open
		"enabled": "true", "artifact_threshold": "50000", "max_artifact_size": "10485760", "head_ratio": "0.6",
		"line_truncation.tail_lines": "200", "line_truncation.head_lines": "300", "line_truncation.max_line_length": "500",
		"element_truncation.first_elements": "5", "element_truncation.last_elements": "5",
		"element_truncation.max_depth": "3", "element_truncation.preserve_json": "true",
		"smart_truncation.preserve_functions": "true", "smart_truncation.prioritize_errors": "true",
	}
	for _, tool := range []string{"execute_command", "read_file", "list_directory", "search_files", "git_diff", "http_request"} {
		for key, value := range general {
			if key = "tools.truncation.overrides." + tool + "." + key; want[key] == "" {
				want[key] = value
			}
		}
	}
	for name, c := range map[string]*config.Config{
		"Default": config.Default(), "empty": parse(t, ""), "comment": parse(t, "# nothing\n"), "document": parse(t, "---\n"),
		"BOM": parse(t, "\ufeff"), "braces": parse(t, "{}"), "overrides": parse(t, "tools: {truncation: {overrides: {}}}"),
	} {
		if diff := cmp.Diff(want, values(c)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, v := range c.Values() {
			if v.Origin != "default" {
				t.Errorf("%s: %s is from %s, want default", name, v.Key, v.Origin)
			}
		}
	}
}

// TestPrecedence proves CFG-45, FR-010, FR-011, FR-024, C-11, C-21 and C-170.
func TestPrecedence(t *testing.T) {
	for _, test := range []struct {
		name, file, tool string // a file is what stands in tools.truncation
		key, want        string // key of an override, value and origin
	}{
		{"global over built-in, TST-13", "inline_limit: 1000", "execute_command", "inline_limit", "1000 1"},
		{"global over built-in, TST-14", "inline_limit: 1000", "read_file", "inline_limit", "1000 1"},
		{"key by key", "inline_limit: 1000", "execute_command", "line_truncation.tail_lines", "150 default"},
		{"override over global", "inline_limit: 1000\noverrides: {read_file: {inline_limit: 7}}", "read_file", "inline_limit", "7 2"},
		{"override before global", "overrides: {read_file: {inline_limit: 7}}\ninline_limit: 1000", "read_file", "inline_limit", "7 1"},
		{"override over built-in", "overrides: {read_file: {inline_limit: 7}}", "read_file", "inline_limit", "7 1"},
		{"the rest stays built in", "overrides: {read_file: {inline_limit: 7}}", "read_file", "head_ratio", "0.65 default"},
		{"nested global over built-in", "element_truncation: {max_depth: 9}", "http_request", "element_truncation.max_depth", "9 1"},
		{"neighbours of a nested key", "element_truncation: {max_depth: 9}", "search_files", "element_truncation.first_elements", "8 default"},
		{"a tool of one's own", "overrides: {x: {head_ratio: 0.25}}", "x", "head_ratio", "0.25 1"},
		{"and what it leaves open", "head_ratio: 0.3\noverrides: {x: {inline_limit: 7}}", "x", "head_ratio", "0.3 1"},
		{"zero is a value", "overrides: {x: {element_truncation: {first_elements: 0}}}", "x", "element_truncation.first_elements", "0 1"},
		{"false is a value, C-98", "overrides: {x: {enabled: false}}", "x", "enabled", "false 1"},
		{"the alias, C-87", "overrides: {run_command: {inline_limit: 7}}", "execute_command", "inline_limit", "7 1"},

		{"built-in strategy stays", "default_strategy: head", "execute_command", "strategy", "tail default"},
		{"default strategy", "default_strategy: head\noverrides: {x: {}}", "x", "strategy", "head 1"},
		{"none for all, FAQ-2", "inline_limit: 1000000\ndefault_strategy: none", "execute_command", "strategy", "none 2"},
		{"and its limit, FAQ-2", "inline_limit: 1000000\ndefault_strategy: none", "execute_command", "inline_limit", "1000000 1"},
		{"override over none", "default_strategy: none\noverrides: {read_file: {strategy: head}}", "read_file", "strategy", "head 2"},
		{"override over built-in strategy", "overrides: {read_file: {strategy: none}}", "read_file", "strategy", "none 1"},
		{"smart where nothing is said", "smart_truncation: {enabled: true}\noverrides: {x: {}}", "x", "strategy", "smart 1"},
		{"smart over default_strategy", "default_strategy: tail\nsmart_truncation: {enabled: true}\noverrides: {x: {}}", "x", "strategy", "smart 2"},
		{"built-in over smart", "smart_truncation: {enabled: true}", "read_file", "strategy", "head_tail default"},
		{"override over smart", "smart_truncation: {enabled: true}\noverrides: {x: {strategy: head}}", "x", "strategy", "head 2"},
		{"none over smart", "default_strategy: none\nsmart_truncation: {enabled: true}\noverrides: {x: {}}", "x", "strategy", "none 1"},
		{"smart without enabled", "overrides: {x: {strategy: smart}}", "x", "strategy", "smart 1"},
	} {
		file := "tools: {truncation: {}}"
		if test.file != "" {
			file = "tools:\n truncation:\n  " + strings.ReplaceAll(test.file, "\n", "\n  ")
		}
		c := parse(t, file)
		key := "tools.truncation.overrides." + test.tool + "." + test.key
		got := ""
		for _, v := range c.Values() {
			if v.Key == key {
				origin := v.Origin
				var line int
				if n, _ := fmt.Sscanf(origin, config.File+":%d", &line); n == 1 {
					origin = fmt.Sprint(line - 2)
				}
				got = fmt.Sprint(v.Value, " ", origin)
			}
		}
		if got != test.want {
			t.Errorf("%s: %s = %s, want %s", test.name, key, got, test.want)
		}
	}
}

func TestTool(t *testing.T) {
	general := config.Tool{
		Enabled: true, Strategy: "head_tail", InlineLimit: 8000, ArtifactThreshold: 50_000, MaxArtifactSize: 10_485_760,
		HeadRatio: 0.6, TailLines: 200, HeadLines: 300, MaxLineLength: 500, FirstElements: 5, LastElements: 5, MaxDepth: 3,
		PreserveJSON: true, PreserveFunctions: true, PrioritizeErrors: true,
		IncludeOriginalSize: true, IncludeTokenEstimate: true, IncludeStrategy: true, IncludeRetrievalInstructions: true,
	}
	command := general
	command.Strategy, command.InlineLimit, command.TailLines = "tail", 5000, 150
	for name, want := range map[string]config.Tool{"": general, "any": general, "execute_command": command, "run_command": command} {
		if diff := cmp.Diff(want, config.Default().Tool(name)); diff != "" {
			t.Errorf("Tool(%q) (-want +got):\n%s", name, diff)
		}
	}

	// Every field is set by its key.
	const file = `
tools:
  truncation:
    inline_limit: 1
    artifact_threshold: 2
    max_artifact_size: 3
    default_strategy: none
    head_ratio: 4e-1
    line_truncation: {tail_lines: 5, head_lines: 6, max_line_length: 7}
    element_truncation: {first_elements: 8, last_elements: 0, max_depth: 10, preserve_json: false}
    smart_truncation: {enabled: True, preserve_functions: false, prioritize_errors: False}
    metadata:
      include_original_size: false
      include_token_estimate: false
      include_strategy: false
      include_retrieval_instructions: false
    overrides: {off: {enabled: false}}
`
	want := config.Tool{
		Strategy: "none", InlineLimit: 1, ArtifactThreshold: 2, MaxArtifactSize: 3, HeadRatio: 0.4,
		TailLines: 5, HeadLines: 6, MaxLineLength: 7, FirstElements: 8, LastElements: 0, MaxDepth: 10, SmartEnabled: true,
	}
	if diff := cmp.Diff(want, parse(t, file).Tool("off")); diff != "" {
		t.Errorf("Tool(off) (-want +got):\n%s", diff)
	}
	want.Enabled = true
	for _, name := range []string{"other", "read_file"} {
		if diff := cmp.Diff(want, parse(t, file).Tool(name)); diff != "" {
			t.Errorf("Tool(%q) (-want +got):\n%s", name, diff)
		}
	}
}

// files are files of settings: what Parse says of each, and where the schema
// must say otherwise because JSON cannot tell.
var files = []struct {
	name, file string
	want       string // what Parse says, without the name of the file
	lax        bool   // the schema accepts what Parse refuses
}{
	// Good ones.
	{name: "all kinds of values", file: "tools:\n  truncation: {head_ratio: .5, default_strategy: 'tail', smart_truncation: {enabled: True}}\nsessions: {idle_ttl: 90m}\n"},
	{name: "CRLF", file: "tools:\r\n  truncation:\r\n    inline_limit: 5\r\n"},
	{name: "CR", file: "tools:\r  truncation:\r    inline_limit: 5\r"},
	{name: "BOM", file: "\ufefftools: {truncation: {inline_limit: 5}}"},
	{name: "any tool", file: "tools: {truncation: {overrides: {mcp.x/y: {inline_limit: 5}, 5: {}, été: {}}}}"},
	{name: "an anchor nobody uses", file: "tools: &a {truncation: {inline_limit: 5}}"},
	{name: "largest", file: "tools: {truncation: {inline_limit: 1000000000, max_artifact_size: 9007199254740992}}"},
	{name: "smallest", file: "tools: {truncation: {inline_limit: 1, head_ratio: 1e-9, element_truncation: {first_elements: 0}}}"},
	{name: "paths", file: "tools: {truncation: {artifacts: {storage_path: a/.b/..c/d..e/f f}}}"},
	{name: "patterns", file: "tools: {redaction: {patterns: [{name: A-1_b, regex: 'x\\d+'}, {regex: é, name: B}]}}"},
	{name: "no pattern", file: "tools: {redaction: {patterns: []}}"},

	// Keys.
	{name: "typing error", file: "tools:\n  truncation:\n    line_truncation:\n      tail_lines: 1\n\n\n    inline_limt: 5\n",
		want: `:7:5: unknown key "inline_limt" in tools.truncation; did you mean "inline_limit"?`},
	{name: "columns are characters", file: "{été: {}, tolls: {}}",
		want: `:1:2: unknown key "été"` + "\n" + `:1:11: unknown key "tolls"; did you mean "tools"?`},
	{name: "upper case", file: "Tools: {}", want: `:1:1: unknown key "Tools"; did you mean "tools"?`},
	{name: "camel case", file: "tools: {truncation: {inlineLimit: 5}}", want: `:1:22: unknown key "inlineLimit" in tools.truncation; did you mean "inline_limit"?`},
	{name: "half a name", file: "tools: {truncation: {threshold: 5}}", want: `:1:22: unknown key "threshold" in tools.truncation; did you mean "artifact_threshold"?`},
	{name: "section in the wrong place", file: "truncation: {}", want: `:1:1: unknown key "truncation"; did you mean "tools.truncation"?`},
	{name: "key in the wrong place", file: "tools: {auto_expand: true}", want: `:1:9: unknown key "auto_expand" in tools; did you mean "tools.awareness.auto_expand"?`},
	{name: "all upper case", file: "TOOLS: {}", want: `:1:1: unknown key "TOOLS"; did you mean "tools"?`},
	{name: "too short to be like it", file: "tools: {truncation: {artifacts: {ig: true}}}", want: `:1:34: unknown key "ig" in tools.truncation.artifacts`},
	{name: "nothing like it", file: "zzz: 1", want: `:1:1: unknown key "zzz"`},
	{name: "empty key", file: "'': 1", want: `:1:1: unknown key ""`},
	{name: "global key in an override", file: "tools: {truncation: {overrides: {x: {artifacts: {sign: true}}}}}",
		want: `:1:38: unknown key "artifacts" in tools.truncation.overrides.x; did you mean "tools.truncation.artifacts"?`},
	{name: "enabled of smart in an override", file: "tools: {truncation: {overrides: {a.b: {smart_truncation: {enabled: true}}}}}",
		want: `:1:59: unknown key "enabled" in tools.truncation.overrides."a.b".smart_truncation; did you mean "tools.truncation.smart_truncation.enabled"?`},
	{name: "twice", file: "tools: {}\nsessions: {}\ntools: {}", want: ":3:1: tools is set twice; first on line 1"},
	{name: "twice by the alias", file: "tools:\n truncation:\n  overrides:\n   run_command: {}\n   execute_command: {}", lax: true,
		want: ":5:4: tools.truncation.overrides.execute_command names the same tool as the key on line 4"},
	{name: "no value", file: "tools:\nsessions:\n  idle_ttl:", want: ":1:1: tools has no value\n:3:3: sessions.idle_ttl has no value"},
	{name: "null", file: "tools: ~", want: ":1:1: tools has no value"},
	{name: "tool without a name", file: "tools: {truncation: {overrides: {'': {}}}}", want: ":1:34: the name of the tool is empty"},
	{name: "tool without a value", file: "tools: {truncation: {overrides: {x: }}}", want: ":1:34: tools.truncation.overrides.x has no value"},
	{name: "key is an alias", file: "? &a tools\n: {}\n? *a\n: 1", want: ":3:3: a key must be plain text, not an alias"},
	{name: "key has a tag", file: "!!str tools: {}", lax: true, want: `:1:1: a key must be plain text, not "tools"`},
	{name: "key is a list", file: "? [a]\n: 1", want: ":1:3: a key must be plain text, not a list"},

	// Types.
	{name: "text for a number", file: "tools: {truncation: {inline_limit: many}}", want: `:1:36: tools.truncation.inline_limit must be a positive whole number, not "many"`},
	{name: "number as text", file: "tools: {truncation: {inline_limit: '5'}}", want: `:1:36: tools.truncation.inline_limit must be a positive whole number, not "5"`},
	{name: "fraction", file: "tools: {truncation: {inline_limit: 1.5}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 1.5"},
	{name: "fraction that is whole", file: "tools: {truncation: {inline_limit: 5.0}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 5.0", lax: true},
	{name: "exponent", file: "tools: {truncation: {inline_limit: 1e3}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 1e3", lax: true},
	{name: "octal", file: "tools: {truncation: {inline_limit: 010}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 010", lax: true},
	{name: "hexadecimal", file: "tools: {truncation: {inline_limit: 0x10}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 0x10", lax: true},
	{name: "underscore", file: "tools: {truncation: {inline_limit: 8_000}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 8_000", lax: true},
	{name: "bool for a number", file: "tools: {truncation: {inline_limit: true}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not true"},
	{name: "NaN for an integer", file: "tools: {truncation: {inline_limit: .nan}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not .nan"},
	{name: "list for a number", file: "tools: {truncation: {inline_limit: [5]}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not a list"},
	{name: "number for a bool", file: "tools: {awareness: {auto_expand: 1}}", want: ":1:34: tools.awareness.auto_expand must be true or false, not 1"},
	{name: "yes", file: "tools: {awareness: {auto_expand: yes}}", want: `:1:34: tools.awareness.auto_expand must be true or false, not "yes"`},
	{name: "number for a time", file: "sessions: {idle_ttl: 24}", want: ":1:22: sessions.idle_ttl must be a time such as 90m or 24h, not 24"},
	{name: "number for a section", file: "tools: 5", want: ":1:8: tools must hold keys such as truncation, not 5"},
	{name: "list for a section", file: "tools: []", want: ":1:8: tools must hold keys such as truncation, not a list"},
	{name: "list for overrides", file: "tools: {truncation: {overrides: [x]}}", want: ":1:33: tools.truncation.overrides must hold names of tools, not a list"},
	{name: "text for an override", file: "tools: {truncation: {overrides: {x: off}}}", want: `:1:37: tools.truncation.overrides.x must hold keys such as inline_limit, not "off"`},
	{name: "list for the file", file: "- tools", want: ":1:1: the file must hold keys such as tools, not a list"},
	{name: "text for the file", file: "tools", want: `:1:1: the file must hold keys such as tools, not "tools"`},
	{name: "long value", file: "tools: {truncation: {inline_limit: " + strings.Repeat("é", 80) + "}}",
		want: `:1:36: tools.truncation.inline_limit must be a positive whole number, not "` + strings.Repeat("é", 60) + `…"`},

	// Ranges, C-17 and FR-012.
	{name: "zero", file: "tools: {truncation: {inline_limit: 0}}", want: ":1:36: tools.truncation.inline_limit must be a positive whole number, not 0"},
	{name: "negative", file: "tools: {truncation: {artifact_threshold: -1}}", want: ":1:42: tools.truncation.artifact_threshold must be a positive whole number, not -1"},
	{name: "very negative", file: "tools: {truncation: {artifact_threshold: -99999999999999999999}}", want: ":1:42: tools.truncation.artifact_threshold must be a positive whole number, not -99999999999999999999"},
	{name: "negative elements", file: "tools: {truncation: {element_truncation: {last_elements: -1}}}", want: ":1:58: tools.truncation.element_truncation.last_elements must be a whole number, 0 or more, not -1"},
	{name: "too large", file: "tools: {truncation: {inline_limit: 1000000001}}", want: ":1:36: tools.truncation.inline_limit must be at most 1000000000, not 1000000001"},
	{name: "overflow", file: "tools: {truncation: {max_artifact_size: 9223372036854775808}}", want: ":1:41: tools.truncation.max_artifact_size must be at most 9007199254740992, not 9223372036854775808"},
	{name: "one over 2^53", file: "tools: {truncation: {max_artifact_size: 9007199254740993}}", want: ":1:41: tools.truncation.max_artifact_size must be at most 9007199254740992, not 9007199254740993"},
	{name: "zero depth", file: "tools: {truncation: {element_truncation: {max_depth: 0}}}", want: ":1:54: tools.truncation.element_truncation.max_depth must be a positive whole number, not 0"},
	{name: "zero lines", file: "tools: {truncation: {line_truncation: {tail_lines: 0, head_lines: 0, max_line_length: 0}}}",
		want: ":1:52: tools.truncation.line_truncation.tail_lines must be a positive whole number, not 0\n" +
			":1:67: tools.truncation.line_truncation.head_lines must be a positive whole number, not 0\n" +
			":1:87: tools.truncation.line_truncation.max_line_length must be a positive whole number, not 0"},
	{name: "ratio 0", file: "tools: {truncation: {head_ratio: 0}}", want: ":1:34: tools.truncation.head_ratio must be a number above 0 and below 1, not 0"},
	{name: "ratio 1", file: "tools: {truncation: {head_ratio: 1.0}}", want: ":1:34: tools.truncation.head_ratio must be a number above 0 and below 1, not 1.0"},
	{name: "ratio NaN", file: "tools: {truncation: {head_ratio: .NaN}}", want: ":1:34: tools.truncation.head_ratio must be a number above 0 and below 1, not .NaN"},
	{name: "ratio infinite", file: "tools: {truncation: {head_ratio: .inf}}", want: ":1:34: tools.truncation.head_ratio must be a number above 0 and below 1, not .inf"},
	{name: "ratio as text", file: "tools: {truncation: {head_ratio: '0.5'}}", want: `:1:34: tools.truncation.head_ratio must be a number above 0 and below 1, not "0.5"`},
	{name: "no elements", file: "tools: {truncation: {element_truncation: {last_elements: 0, first_elements: 0}}}",
		want: ":1:61: first_elements and last_elements are both 0; at least one element must be kept"},
	{name: "no elements in an override", file: "tools: {truncation: {overrides: {x: {element_truncation: {first_elements: 0, last_elements: 0}}}}}",
		want: ":1:78: first_elements and last_elements are both 0; at least one element must be kept"},
	{name: "no elements taken together", file: "tools:\n truncation:\n  overrides: {x: {element_truncation: {first_elements: 0}}}\n  element_truncation: {last_elements: 0}", lax: true,
		want: ":4:24: first_elements and last_elements are both 0; at least one element must be kept"},
	{name: "in the order of lines", file: "tools:\n truncation:\n  overrides:\n   z: {element_truncation: &e {first_elements: 0, last_elements: 0}}\n   a: {element_truncation: {first_elements: 0, last_elements: 0}}",
		want: ":4:51: first_elements and last_elements are both 0; at least one element must be kept\n" +
			":5:48: first_elements and last_elements are both 0; at least one element must be kept"},
	{name: "unknown strategy", file: "tools: {truncation: {default_strategy: haed}}",
		want: `:1:40: tools.truncation.default_strategy must be one of head_tail, tail, head, element, smart, none, not "haed"; did you mean "head"?`},
	{name: "no line strategy, C-20", file: "tools: {truncation: {overrides: {x: {strategy: line}}}}",
		want: `:1:48: tools.truncation.overrides.x.strategy must be one of head_tail, tail, head, element, smart, none, not "line"; did you mean "none"?`},
	{name: "unknown policy", file: "tools: {awareness: {stale_policy: 'off'}}", want: `:1:35: tools.awareness.stale_policy must be one of warn, block, not "off"`},
	{name: "time without a unit", file: "sessions: {idle_ttl: '24'}", want: `:1:22: sessions.idle_ttl must be a time such as 90m or 24h, not "24"`},
	{name: "no time", file: "sessions: {idle_ttl: 0h}", want: `:1:22: sessions.idle_ttl must be a time such as 90m or 24h, not "0h"`},
	{name: "endless", file: "sessions: {idle_ttl: 99999999h}", want: `:1:22: sessions.idle_ttl must be a time such as 90m or 24h, not "99999999h"`},
	{name: "zero of a log", file: "logging: {max_size_mb: 0, max_age_days: 0}",
		want: ":1:24: logging.max_size_mb must be a positive whole number, not 0\n:1:41: logging.max_age_days must be a positive whole number, not 0"},

	// Paths that leave the root, or are none.
	{name: "absolute path", file: "tools: {truncation: {artifacts: {storage_path: /tmp}}}", want: `:1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not "/tmp"`},
	{name: "parent", file: "tools: {truncation: {artifacts: {storage_path: a/../../b}}}", want: `:1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not "a/../../b"`},
	{name: "the root", file: "tools: {truncation: {artifacts: {storage_path: .}}}", want: `:1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not "."`},
	{name: "empty path", file: "tools: {truncation: {artifacts: {storage_path: ''}}}", want: `:1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not ""`},
	{name: "number for a path", file: "tools: {truncation: {artifacts: {storage_path: 5}}}", want: ":1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not 5"},
	{name: "drive", file: `tools: {truncation: {artifacts: {storage_path: 'C:\x'}}}`, want: `:1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not "C:\\x"`},
	{name: "control character", file: `tools: {truncation: {artifacts: {storage_path: "a\n"}}}`, want: `:1:48: tools.truncation.artifacts.storage_path must be a path below the root such as .acode/artifacts, not "a\n"`},

	// Patterns.
	{name: "no list", file: "tools: {redaction: {patterns: {name: A}}}", want: ":1:31: tools.redaction.patterns must be a list of patterns, not a mapping"},
	{name: "bad expression", file: "tools: {redaction: {patterns: [{name: A, regex: '('}]}}", lax: true,
		want: ":1:42: tools.redaction.patterns[0].regex is no regular expression: \"error parsing regexp: missing closing ): `(`\""},
	{name: "bad expression of two lines", file: `tools: {redaction: {patterns: [{name: A, regex: "(\n"}]}}`, lax: true,
		want: `:1:42: tools.redaction.patterns[0].regex is no regular expression: "error parsing regexp: missing closing ): ` + "`(\\n`" + `"`},
	{name: "matches nothing", file: "tools: {redaction: {patterns: [{name: A, regex: 'a*'}]}}", lax: true, want: ":1:42: tools.redaction.patterns[0].regex matches the empty text"},
	{name: "pattern without", file: "tools: {redaction: {patterns: [{name: A}, {}, 5, ~]}}",
		want: ":1:32: tools.redaction.patterns[0] has no regex\n:1:43: tools.redaction.patterns[1] has no name\n" +
			":1:47: tools.redaction.patterns[2] must hold name and regex, not 5\n:1:50: tools.redaction.patterns[3] has no value"},
	{name: "name of a pattern", file: "tools: {redaction: {patterns: [{name: 'A]', regex: a}]}}",
		want: `:1:39: tools.redaction.patterns[0].name must be up to 64 letters, digits, _ and -, not "A]"`},
	{name: "number for a name", file: "tools: {redaction: {patterns: [{name: 5, regex: ''}]}}", want: ":1:39: tools.redaction.patterns[0].name must be up to 64 letters, digits, _ and -, not 5"},
	{name: "tag of a pattern", file: "tools: {redaction: {patterns: [!!map {name: A, regex: a}]}}", lax: true,
		want: ":1:32: tools.redaction.patterns[0]: tags such as \"!!map\" are not allowed"},
	{name: "empty expression", file: "tools: {redaction: {patterns: [{name: A, regex: ''}]}}", want: ":1:42: tools.redaction.patterns[0].regex matches the empty text"},
	{name: "unknown key of a pattern", file: "tools: {redaction: {patterns: [{name: A, regexp: a}]}}",
		want: `:1:42: unknown key "regexp" in tools.redaction.patterns[0]; did you mean "regex"?`},
	{name: "long expression", file: "tools: {redaction: {patterns: [{name: A, regex: " + strings.Repeat("é", 1001) + "}]}}",
		want: `:1:49: tools.redaction.patterns[0].regex must be a regular expression of at most 1000 characters, not "` + strings.Repeat("é", 60) + `…"`},
	{name: "too many patterns", file: "tools: {redaction: {patterns: [" + strings.Repeat("{name: A, regex: a},", 101) + "]}}",
		want: ":1:31: tools.redaction.patterns must hold at most 100 patterns, not 101"},

	// What YAML allows and settings do not.
	{name: "alias", file: "tools: &a {}\nsessions: *a", lax: true, want: ":2:11: sessions: aliases (*a) are not allowed; write the value out"},
	{name: "merge key", file: "tools: {awareness: &a {auto_expand: true}}\nsessions: {<<: *a}", want: ":2:12: merge keys (<<) are not allowed; write the keys out"},
	{name: "tag", file: "tools: !!map {}", lax: true, want: ":1:8: tools: tags such as \"!!map\" are not allowed"},
	{name: "tag with a line feed", file: "tools: !%0a {}", lax: true, want: `:1:8: tools: tags such as "!\n" are not allowed`},
	{name: "key with a tag and a line feed", file: `!a "b\n": 1`, want: `:1:1: a key must be plain text, not "b\n"`},
	{name: "tagged number", file: "tools: {truncation: {inline_limit: !!int '5'}}", lax: true, want: ":1:36: tools.truncation.inline_limit: tags such as \"!!int\" are not allowed"},
}

// TestProblems proves FR-012 and C-17: everything wrong is found, with its
// place.
func TestProblems(t *testing.T) {
	for _, test := range files {
		if got := complaints(test.file); got != test.want {
			t.Errorf("%s: Parse(%.200q) says\n%s\nwant\n%s", test.name, test.file, got, test.want)
		}
	}
}

// complaints returns what Parse says of a file, without its name.
func complaints(file string) string {
	_, problems := config.Parse("f", []byte(file))
	return strings.ReplaceAll(strings.TrimPrefix(config.Problems(problems).Error(), "f"), "\nf", "\n")
}

// TestNotYAML has files that are no YAML, or no text.
func TestNotYAML(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"tools:\n\ttruncation: {}\n", ":2:1: is not YAML: a tab; indent with spaces"},
		{"é: é: 1", ":1:5: is not YAML: mapping values are not allowed in this context"},
		{"a: 1\r\nb: 'x\r\n", ":3:1: is not YAML: found unexpected end of stream (scanning a quoted scalar that starts on line 2)"},
		{"a: *b", ":1:4: is not YAML: unknown anchor 'b' referenced"},
		{"tools: {}\n--- \nsessions: {}\n", ":2:1: a second document starts here; only one is allowed"},
		{"a: 1\n---\nb: [\n", ":4:1: is not YAML: did not find expected node content"},
		{"a: 1\n\xff", ":2:1: byte 0xff is not UTF-8"},
		{"a: é\r\nb: é\xc3", ":2:5: byte 0xc3 is not UTF-8"},
		{"\xff\xfet\x00", ":1:1: the file is UTF-16; save it as UTF-8"},
		{"a: 1\rb: \x00", ":2:4: the character U+0000 is not allowed"},
		{"a: x\u2028b: 1", ":1:5: the character U+2028 is not allowed"},
		{"a: \ufeff", ":1:4: the character U+FEFF is not allowed"},
		{strings.Repeat("[", 10_001), ":1:10001: is not YAML: exceeded max depth of 10000"},
	} {
		if got := complaints(test.file); got != test.want {
			t.Errorf("Parse(%.60q) says\n%s\nwant\n%s", test.file, got, test.want)
		}
	}
}

// TestMany has more problems and more tools than are of use to anyone.
func TestMany(t *testing.T) {
	var keys, tools strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
		fmt.Fprintf(&tools, "    k%d: {}\n", i)
	}
	_, problems := config.Parse("f", []byte(keys.String()))
	if n := len(problems); n != 100 || problems[99].Line != 100 {
		t.Errorf("%d problems, want the first 100", n)
	}
	file := strings.Join(strings.SplitAfterN(keys.String(), "\n", 100)[:99], "") + "tools: {redaction: {patterns: [1, 2, 3]}}"
	if _, problems := config.Parse("f", []byte(file)); len(problems) != 100 {
		t.Errorf("%d problems, want the first 100 of 102", len(problems))
	}
	const want = ":3:3: tools.truncation.overrides must hold at most 1000 tools, not 1001"
	if got := complaints("tools:\n truncation:\n  overrides:\n" + tools.String()); got != want {
		t.Errorf("Parse says %s, want %s", got, want)
	}
}

// TestAliasesDoNotMultiply has nine levels of nine aliases each.
func TestAliasesDoNotMultiply(t *testing.T) {
	file := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'j'; c++ {
		file += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), ","))
	}
	if got := strings.Count(complaints(file), "unknown key"); got != 9 {
		t.Errorf("%d unknown keys, want 9", got)
	}
}

// schemaOf returns what the schema says of a file, "" if it takes it. The file
// is read as other programs read YAML.
func schemaOf(t *testing.T, schema *jsonschema.Schema, file string) string {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(file), &value); err != nil {
		return err.Error()
	}
	raw, err := json.Marshal(textKeys(value))
	if err != nil {
		return err.Error() // NaN
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		return err.Error()
	}
	return ""
}

// textKeys makes text of the keys of mappings, as JSON has them.
func textKeys(value any) any {
	switch value := value.(type) {
	case map[any]any:
		out := map[string]any{}
		for key, inner := range value {
			out[fmt.Sprint(key)] = textKeys(inner)
		}
		return out
	case map[string]any:
		for key, inner := range value {
			value[key] = textKeys(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = textKeys(inner)
		}
	}
	return value
}

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSchema holds the schema against Parse.
func TestSchema(t *testing.T) {
	schema := compiledSchema(t)
	for _, test := range files {
		says := schemaOf(t, schema, test.file)
		if wantBad := test.want != "" && !test.lax; (says != "") != wantBad {
			t.Errorf("%s: the schema says %q of %.200q, Parse %q", test.name, says, test.file, test.want)
		}
	}
}

// TestRecipes reads every example of the documentation.
func TestRecipes(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.ReplaceAll(string(page), "\r\n", "\n"), "```yaml\n")[1:]
	if len(blocks) < 7 {
		t.Fatalf("%d examples, want those of all recipes", len(blocks))
	}
	for _, block := range blocks {
		file, _, _ := strings.Cut(block, "```")
		parse(t, file)
	}
}

// TestValues wants every key once.
func TestValues(t *testing.T) {
	c := parse(t, "tools:\n  truncation:\n    overrides:\n      a.b: {inline_limit: 5}\nsessions:\n  idle_ttl: 90s\n")
	var keys, set []string
	for _, v := range c.Values() {
		keys = append(keys, v.Key)
		if v.Origin != "default" {
			set = append(set, fmt.Sprint(v.Key, " ", v.Value, " ", v.Origin))
		}
	}
	slices.Sort(keys)
	if n := len(keys); n != len(slices.Compact(keys)) {
		t.Errorf("a key is there twice")
	}
	want := []string{
		"sessions.idle_ttl 1m30s .agent/config.yml:6",
		`tools.truncation.overrides."a.b".inline_limit 5 .agent/config.yml:4`,
	}
	if diff := cmp.Diff(want, set); diff != "" {
		t.Errorf("what the file sets (-want +got):\n%s", diff)
	}
}
