package workspace_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/awareness"
	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/internal/workspace"
	"github.com/acode-ls/acode-ls/truncation"
)

// shape gives s to Process as output of a tool.
func shape(t *testing.T, settings *config.Config, out workspace.Output, s string) (workspace.ToolResult, error) {
	t.Helper()
	if settings == nil {
		settings = config.Default()
	}
	h := open(t, t.TempDir(), workspace.Options{Config: settings})
	out.Content, out.Size = strings.NewReader(s), int64(len(s))
	return h.Process(out)
}

// unstored are settings under which no output becomes an artifact.
var unstored = configured("tools: {truncation: {artifact_threshold: 1000000000}}")

func logLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[INFO] Log line %d\n", i+1)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestFateOfOutput(t *testing.T) {
	small := configured("tools: {truncation: {inline_limit: 1000, artifact_threshold: 5000, max_artifact_size: 200000}}")
	tests := []struct {
		name     string
		settings *config.Config
		tool     string
		text     string
		strategy truncation.Strategy // "" if it passes
		has, not []string
	}{
		{"under the limit", nil, "test_tool", strings.Repeat("x", 8000), "", nil, []string{"omitted"}},                                          // AC-080, UVS-1
		{"one more", nil, "test_tool", strings.Repeat("x", 8001), "head_tail", []string{"chars omitted"}, nil},                                  // AC-081, FR-023
		{"characters, not bytes", nil, "test_tool", strings.Repeat("世", 8000), "", nil, nil},                                                    // FR-016
		{"commands", nil, "execute_command", logLines(2000), "tail", []string{"Log line 2000", "Log line 1851\n"}, []string{"Log line 1850\n"}}, // FR-072, CFG-26, UVS-4
		{"by another name", nil, "run_command", logLines(2000), "tail", nil, []string{"Log line 1850\n"}},                                       // C-87
		{"TST-13", configured("tools: {truncation: {inline_limit: 1000, artifact_threshold: 10000, overrides: {execute_command: {strategy: tail, line_truncation: {tail_lines: 50}}}}}"),
			"execute_command", logLines(500), "tail", []string{"Log line 451\n", "Log line 500"}, []string{"Log line 1\n", "Log line 450\n"}},
		{"a global limit wins over a built-in one", small, "read_file", strings.Repeat("X\n", 600), "head_tail", nil, nil},                                                                                                         // C-11
		{"nothing to redact in a ruler", small, "read_file", strings.Repeat("X", 4000), "head_tail", []string{"XXXX\n... ["}, []string{"REDACTED"}},                                                                                // TST-14, C-79
		{"switched off", configured("tools: {truncation: {default_strategy: none, inline_limit: 1000000}}"), "execute_command", logLines(3000), "", nil, []string{"omitted"}},                                                      // FAQ-2
		{"switched off for a tool", configured("tools: {truncation: {overrides: {vault: {enabled: false}}}}"), "vault", "password: hunter2secret\n" + logLines(3000), "", []string{"[REDACTED: "}, []string{"hunter2", "omitted"}}, // C-98
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := shape(t, tt.settings, workspace.Output{Tool: tt.tool}, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if r.Strategy != tt.strategy || r.WasTruncated != (tt.strategy != "") || r.Tool != tt.tool {
				t.Errorf("cut by %q (%v) for %s, want %q", r.Strategy, r.WasTruncated, r.Tool, tt.strategy)
			}
			for _, s := range tt.has {
				if !strings.Contains(r.Content, s) {
					t.Errorf("content lacks %q: %.200q", s, r.Content)
				}
			}
			for _, s := range tt.not {
				if strings.Contains(r.Content, s) {
					t.Errorf("content has %q: %.200q", s, r.Content)
				}
			}
		})
	}
}

// TestStrategyOfOneCall overrides the tool's strategy.
func TestStrategyOfOneCall(t *testing.T) {
	r, err := shape(t, nil, workspace.Output{Tool: "execute_command", Strategy: "head"}, logLines(2000))
	if err != nil || r.Strategy != truncation.Head || !strings.HasPrefix(r.Content, "[INFO] Log line 1\n") {
		t.Errorf("cut by %s to %.60q (%v), want by head", r.Strategy, r.Content, err)
	}
}

func TestSecretsGoFirst(t *testing.T) {
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	s := strings.Repeat("filler line\n", 400) + "token " + token + "\n" + strings.Repeat("filler line\n", 20) // near the cut of a tail
	for _, size := range []int{len(s), 3 << 20} {                                                             // in memory and as a stream
		text := strings.Repeat("filler line\n", (size-len(s))/12) + s
		r, err := shape(t, nil, workspace.Output{Tool: "execute_command"}, text)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Content, token[4:]) || !strings.Contains(r.Content, "[REDACTED: GITHUB_TOKEN]") {
			t.Errorf("content of %d bytes is %.100q", len(text), r.Content)
		}
		if diff := cmp.Diff([]redact.Count{{Type: "GITHUB_TOKEN", Count: 1}}, r.Redactions); diff != "" {
			t.Errorf("redactions (-want +got):\n%s", diff)
		}
		if r.OriginalBytes != len(text) || r.OriginalCharacters != len(text) {
			t.Errorf("original size %d, %d, want %d", r.OriginalCharacters, r.OriginalBytes, len(text))
		}
	}
}

// TestOriginalSizeOfStream is TestOriginalSizeIsFromBefore for a text that is
// not taken into memory.
func TestOriginalSizeOfStream(t *testing.T) {
	s := strings.Repeat("password = \"größe2x\"\nfiller\n", 30_000)
	r, err := shape(t, nil, workspace.Output{Tool: "execute_command"}, s)
	if err != nil || r.Redacted() != 30_000 {
		t.Fatalf("%d secrets (%v), want 30000", r.Redacted(), err)
	}
	if want := 30_000 * 28; r.OriginalCharacters != want || r.OriginalBytes != len(s) {
		t.Errorf("original size %d, %d, want %d, %d", r.OriginalCharacters, r.OriginalBytes, want, len(s))
	}
}

// TestOriginalSizeIsFromBefore has a secret that is shorter than what stands
// for it (C-92).
func TestOriginalSizeIsFromBefore(t *testing.T) {
	s := "password = \"hunter2x\"\n"
	r, err := shape(t, nil, workspace.Output{Tool: "x"}, s)
	if err != nil || r.WasTruncated || r.Redacted() != 1 {
		t.Fatalf("result %+v (%v), want one secret and nothing cut", r, err) // C-101
	}
	if r.OriginalCharacters != len(s) || r.TruncatedCharacters != len(r.Content) || len(r.Content) <= len(s) {
		t.Errorf("sizes %d, %d of %q", r.OriginalCharacters, r.TruncatedCharacters, r.Content)
	}
}

func TestTooLarge(t *testing.T) {
	tests := []struct {
		size int
		want string
	}{
		{10_485_759, ""},
		{10_485_760, "Output size (10.0 MB) exceeds maximum artifact size (10.0 MB). It has 10485760 bytes, and 10485760 is the first size that is refused."},
	}
	for _, strategy := range []string{"tail", "element"} {
		for _, tt := range tests {
			r, err := shape(t, nil, workspace.Output{Tool: "x", Strategy: strategy}, strings.Repeat("lines of\n", tt.size/9+1)[:tt.size])
			if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
				t.Errorf("%d bytes by %s: %v, want %s", tt.size, strategy, err, tt.want)
			} else if err == nil && !r.WasTruncated {
				t.Errorf("%d bytes by %s are not truncated", tt.size, strategy)
			}
		}
	}
}

// endless gives the same bytes without end, and counts them.
type endless struct {
	line string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.line[e.read%len(e.line)]
		e.read++
	}
	return len(p), nil
}

func TestEndless(t *testing.T) {
	for _, line := range []string{"all work and no play\n", "\x00"} {
		h := open(t, t.TempDir(), workspace.Options{})
		e := &endless{line: line}
		_, err := h.Process(workspace.Output{Tool: "x", Content: e, Size: -1})
		if tooLarge, ok := errors.AsType[*truncation.TooLargeError](err); !ok || !tooLarge.AtLeast {
			t.Errorf("endless %q: %v, want it refused", line, err)
		}
		if e.read > 11<<20 {
			t.Errorf("endless %q: read %d bytes before it was refused", line, e.read)
		}
	}
}

func TestFailingReader(t *testing.T) {
	h := open(t, t.TempDir(), workspace.Options{})
	for _, at := range []int{0, 100, 100_000, 3 << 20} {
		in := io.MultiReader(strings.NewReader(strings.Repeat("a line\n", at/7)), iotest.ErrReader(errors.New("broken pipe")))
		r, err := h.Process(workspace.Output{Tool: "x", Content: in, Size: -1})
		if err == nil || r.Content != "" || !strings.Contains(err.Error(), "reading the output of x: broken pipe") {
			t.Errorf("after %d bytes: %q, %v", at, r.Content, err)
		}
	}
}

// TestFailuresOfTheOmittedPart has C-188's form, for a text in memory and for
// a stream.
func TestFailuresOfTheOmittedPart(t *testing.T) {
	for _, before := range []int{100, 50_000} {
		s := strings.Repeat("ok      example.com/pkg  0.1s\n", before) + "--- FAIL: TestX (0.00s)\n" +
			strings.Repeat("ok      example.com/pkg  0.1s\n", 300) + "FAIL\texample.com/last\t0.1s\n"
		r, err := shape(t, unstored, workspace.Output{Tool: "execute_command"}, s)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitN(r.Content, "\n", 3)
		want := fmt.Sprintf("[Lines 1-%d truncated — contains 1 failure line: %d: --- FAIL: TestX (0.00s)]", r.OmittedLines, before+1)
		if lines[1] != want || r.FailureLines != 1 {
			t.Errorf("%d failure lines, notice\n%s\nwant 1,\n%s", r.FailureLines, lines[1], want)
		}
	}
	middle := strings.Repeat("an ordinary line\n", 1000)
	r, err := shape(t, nil, workspace.Output{Tool: "x"}, middle+"panic: boom\n"+middle)
	if err != nil || r.FailureLines != 1 || !strings.Contains(r.Content, " — contains 1 failure line: 1001: panic: boom]") {
		t.Errorf("%d failure lines, %.9000q (%v), want line 1001", r.FailureLines, r.Content, err)
	}
	r, err = shape(t, nil, workspace.Output{Tool: "search_files"}, "a.go:1: error: x\n"+strings.Repeat("a.go:2: x\n", 3000))
	if err != nil || r.FailureLines != 0 || strings.Contains(r.Content, "failure") {
		t.Errorf("a search: %d failure lines, %q (%v)", r.FailureLines, r.Content, err)
	}
}

func TestStreamsAreCountedExactly(t *testing.T) {
	s := strings.Repeat("größe 世界\r\n", 200_000) + "end"
	for _, strategy := range []truncation.Strategy{truncation.HeadTail, truncation.Head, truncation.Tail} {
		h := open(t, t.TempDir(), workspace.Options{Config: unstored})
		r, err := h.Process(workspace.Output{Tool: "x", Strategy: string(strategy), Content: iotest.HalfReader(strings.NewReader(s)), Size: -1})
		if err != nil {
			t.Fatal(err)
		}
		if r.OriginalCharacters != 200_000*10+3 || r.OriginalBytes != len(s) || r.Strategy != strategy {
			t.Errorf("%s: original %d characters, %d bytes by %s", strategy, r.OriginalCharacters, r.OriginalBytes, r.Strategy)
		}
		shown := 0
		for _, w := range r.Shown {
			shown += w.Len()
		}
		if shown+r.OmittedLines != 200_001 {
			t.Errorf("%s: %d lines shown, %d omitted, want 200001 in all", strategy, shown, r.OmittedLines)
		}
	}
}

func TestBinaryOutput(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01\x02\xff", 500)
	utf16 := "\xff\xfe" + strings.Repeat("h\x00i\x00\n\x00", 3000)
	tests := []struct {
		name, content, want string
		cut                 bool
	}{
		{"fits in base64", png, base64.StdEncoding.EncodeToString([]byte(png)), false}, // AC-085, C-77
		{"does not", strings.Repeat(png, 5), fmt.Sprintf("[Binary file: image/png, 10040 bytes, sha256 %x]\n", sha256.Sum256([]byte(strings.Repeat(png, 5)))), true},
		{"large", strings.Repeat(png, 1000), fmt.Sprintf("[Binary file: image/png, 2008000 bytes, sha256 %x]\n", sha256.Sum256([]byte(strings.Repeat(png, 1000)))), true},
		{"UTF-16", utf16, fmt.Sprintf("[Binary file: text/plain; charset=utf-16le, 18002 bytes, sha256 %x]\n", sha256.Sum256([]byte(utf16))), true},
	}
	for _, tt := range tests {
		r, err := shape(t, nil, workspace.Output{Tool: "x"}, tt.content)
		if err != nil || r.Content != tt.want || r.WasTruncated != tt.cut || r.Strategy != "binary" || !r.Binary {
			t.Errorf("%s: %.100q cut %v by %s (%v), want %.100q", tt.name, r.Content, r.WasTruncated, r.Strategy, err, tt.want)
		}
	}
}

// TestOddBytesAreShown has NUL and bytes that are not UTF-8 in a text (AC-084,
// AC-098).
func TestOddBytesAreShown(t *testing.T) {
	r, err := shape(t, nil, workspace.Output{Tool: "x"}, "caf\xe9 and NUL \x00 in a text of some length\n")
	if want := "caf\ufffd and NUL ␀ in a text of some length\n"; err != nil || r.Content != want || r.WasTruncated {
		t.Errorf("content %q (%v), want %q", r.Content, err, want)
	}
}

func TestReadMasksSecrets(t *testing.T) {
	root := t.TempDir()
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAx2Zy7kq3Yl0p9m4vTt8bN1cWqRzXhUjKfLsGdEaPoVnMiBxCw\n", 12) + "-----END RSA PRIVATE KEY-----\n"
	write(t, root, "config.ini", "name = x\npassword = \"hunter2secret\"\n"+key+"last = 1\n")
	h := open(t, root, workspace.Options{})

	r, err := h.Read("s", "config.ini", workspace.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.Content, "hunter2") || strings.Contains(r.Content, "MIIE") || strings.Count(r.Content, "\n") != 17 {
		t.Errorf("content is %q", r.Content)
	}
	if got := awareness.Ranges(r.Shown); got != "1, 17" {
		t.Errorf("credited %s, want 1, 17", got) // C-133
	}
	if r.Redacted() != 2 {
		t.Errorf("redactions %v, want two", r.Redactions)
	}

	// A part that begins inside the key shows nothing of it (C-97).
	r, err = h.Read("s", "config.ini", workspace.Selection{Lines: awareness.Range{Start: 6, End: 9}})
	if err != nil || strings.Contains(r.Content, "MIIE") || len(r.Shown) != 0 {
		t.Errorf("lines 6-9 show %q (%v)", r.Content, err)
	}
	r, err = h.Read("s", "config.ini", workspace.Selection{StartByte: 20, EndByte: 300})
	if err != nil || strings.Contains(r.Content, "hunter2") || strings.Contains(r.Content, "MIIE") {
		t.Errorf("bytes 20-300 show %q (%v)", r.Content, err)
	}

	v, err := h.Check("s", []workspace.Op{replace("config.ini", 2, 2, "password = \"new\"\n")})
	if err != nil || v.Allowed() || v.Blocks[0].Reason != awareness.ReasonRedacted {
		t.Errorf("verdict on the masked line: %+v (%v)", v, err) // C-93
	}
	v, err = h.Check("s", []workspace.Op{replace("config.ini", 1, 1, "password = [REDACTED: PASSWORD]\n")})
	if err != nil || v.Allowed() || v.Blocks[0].Reason != awareness.ReasonPlaceholder {
		t.Errorf("verdict on the placeholder: %+v (%v)", v, err)
	}
	if v, err = h.Check("s", []workspace.Op{replace("config.ini", 17, 17, "last = 2\n")}); err != nil || !v.Allowed() {
		t.Errorf("verdict on a plain line: %+v (%v)", v, err)
	}
}

// TestExpandedLinesHoldNoSecret has a block that lacks a line with a secret:
// the lines are not handed out.
func TestExpandedLinesHoldNoSecret(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.ini", "one\ntwo\npassword = \"hunter2secret\"\nfour\n")
	h := open(t, root, workspace.Options{})
	look(t, h, "s", "a.ini", 1, 1)
	v, err := h.Check("s", []workspace.Op{replace("a.ini", 1, 4, "x\n")})
	if err != nil || v.Allowed() || len(v.Expanded) != 0 {
		t.Errorf("verdict %+v (%v), want a block without lines", v, err)
	}
}

func TestReadNamesWhatWasLeftOut(t *testing.T) {
	root := t.TempDir()
	var b strings.Builder
	b.WriteString("package x\n\n")
	for i := range 40 {
		fmt.Fprintf(&b, "func F%d() {\n%s}\n\n", i, strings.Repeat("\tcall()\n", 20))
	}
	write(t, root, "x.go", b.String())
	h := open(t, root, workspace.Options{Config: readLimit(1000)})
	r, err := h.Read("s", "x.go", workspace.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	o := r.Omissions[0].Lines
	i := strings.Index(r.Content, "[Lines ")
	notice, _, _ := strings.Cut(r.Content[i:], "\n")
	want := fmt.Sprintf("[Lines %d-%d truncated — contains: func F", o.First, o.Last)
	if !strings.HasPrefix(notice, want) || !strings.HasSuffix(notice, "]") {
		t.Errorf("notice %q, want %s…", notice, want)
	}
	if len(r.Declarations) != 1 || len(r.Declarations[0]) < 30 {
		t.Fatalf("declarations %v", r.Declarations)
	}
	for _, d := range r.Declarations[0] {
		if d.Lines.First < o.First || o.Last < d.Lines.First || !strings.Contains(notice, d.Label) {
			t.Errorf("%+v is not in the notice, or not in lines %v", d, o)
		}
	}
}

// TestConfigurationIsReloaded changes the file under an open hub.
func TestConfigurationIsReloaded(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt", strings.Repeat("123456789\n", 100))
	h := open(t, root, workspace.Options{})
	told := 0
	h.OnProblems(func() { told++ })
	shown := func() int {
		r, err := h.Read("s", "a.txt", workspace.Selection{})
		if err != nil {
			t.Fatal(err)
		}
		return r.OriginalCharacters - r.OmittedCharacters
	}
	steps := []struct {
		file     string
		want     int // characters shown
		problems []string
	}{
		{"", 1000, nil},
		{"tools: {truncation: {inline_limit: 500}}", 490, nil},
		{"tools: {truncation: {inline_limit: many}}", 490, []string{`.agent/config.yml:1:36: `}}, // C-17: the last good ones hold
		{"tools: {redaction: {patterns: [{name: a, regex: 'x*'}]}}", 490, []string{"pattern"}},
		{"tools: {truncation: {inline_limit: 300}}", 290, nil},
	}
	for _, step := range steps {
		if step.file != "" {
			write(t, root, ".agent/config.yml", step.file)
		}
		if got := shown(); got != step.want {
			t.Errorf("with %q %d characters are shown, want %d", step.file, got, step.want)
		}
		_, problems := h.Configuration()
		for i, want := range step.problems {
			if i >= len(problems) || !strings.Contains(problems[i].String(), want) {
				t.Errorf("with %q the problems are %v, want %v", step.file, problems, step.problems)
			}
		}
		if len(problems) != len(step.problems) {
			t.Errorf("with %q the problems are %v, want %v", step.file, problems, step.problems)
		}
	}
	if told != 3 {
		t.Errorf("told of problems %d times, want 3", told)
	}
}

// TestOwnPatterns has a pattern from the configuration (SAN-09).
func TestOwnPatterns(t *testing.T) {
	c := configured("tools: {redaction: {patterns: [{name: TICKET, regex: 'TCK-[0-9]{6}'}]}}")
	r, err := shape(t, c, workspace.Output{Tool: "x"}, "see TCK-123456 for more\n")
	if err != nil || r.Content != "see [REDACTED: TICKET] for more\n" {
		t.Errorf("content %q (%v)", r.Content, err)
	}
	off := configured("tools: {redaction: {enabled: false}}")
	r, err = shape(t, off, workspace.Output{Tool: "x"}, "password = \"hunter2secret\"\n")
	if err != nil || !strings.Contains(r.Content, "hunter2secret") {
		t.Errorf("content %q (%v), want it as it is", r.Content, err)
	}
}

// TestProcessCounts: an output is counted, and leaves nothing else in the
// workspace (NFR-015, AC-113).
func TestProcessCounts(t *testing.T) {
	root := t.TempDir()
	h := open(t, root, workspace.Options{})
	if _, err := h.Process(workspace.Output{Tool: "x", Content: strings.NewReader(logLines(2000)), Size: -1}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 || entries[0].Name() != ".acode" {
		t.Errorf("the root has %v (%v)", entries, err)
	}
	counts, err := h.Counts("")
	if c := counts[workspace.DefaultSession].Tools["x"]; err != nil || c.Calls != 1 || c.Truncated != 1 || c.Reduction < 0.5 {
		t.Errorf("counted %+v (%v)", counts, err)
	}
}
