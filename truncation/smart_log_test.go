package truncation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/truncation"
)

// entries returns n entries of a log, of 20 characters each.
func entries(level string, n int) string {
	return strings.Repeat(fmt.Sprintf("12:00:00 %-5s work\n", level), n)
}

func TestSmartLog(t *testing.T) {
	info := func(n int) string { return entries("INFO", n) }
	trace := "12:00:00 ERROR failed\njava.io.IOException: reset\n\tat a.B.c(B.java:1)\n\nCaused by: x\n\t... 2 more\n"
	traceback := "Traceback (most recent call last):\n  File \"a.py\", line 1\n    f()\nValueError: bad\n"
	panics := "panic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1\n"
	long := "12:00:00 ERROR failed\n" + strings.Repeat("\tat a.B.c(B.java:1)\n", 99) + "\tat the.end(B.java:1)\n"
	tests := []struct {
		name   string
		text   string
		inline int
		want   string
	}{
		{"failures, then warnings", info(20) + entries("ERROR", 1) + info(20) + entries("WARN", 1) + info(20) + entries("ERROR", 1) + info(20), 500,
			info(2) + "... [18 lines / 360 chars omitted] ...\n" + entries("ERROR", 1) + "... [20 lines / 400 chars omitted] ...\n" +
				entries("WARN", 1) + "... [20 lines / 400 chars omitted] ...\n" + entries("ERROR", 1) + "... [7 lines / 140 chars omitted] ...\n" + info(13)},
		{"the first failure and the latest", entries("ERROR", 50), 300,
			entries("ERROR", 1) + "... [35 lines / 700 chars omitted] ...\n" + entries("ERROR", 14)},
		{"a first failure in the middle", info(20) + "12:00:00 ERROR first\n" + info(20) + entries("ERROR", 20) + info(20), 400,
			info(2) + "... [18 lines / 360 chars omitted] ...\n12:00:00 ERROR first\n... [32 lines / 640 chars omitted] ...\n" +
				entries("ERROR", 8) + "... [16 lines / 320 chars omitted] ...\n" + info(4)},
		{"a trace of the stack", info(50) + trace + info(50), 500,
			info(2) + "... [48 lines / 960 chars omitted] ...\n" + trace + "... [34 lines / 680 chars omitted] ...\n" + info(16)},
		{"an exception", info(50) + traceback + info(50), 500,
			info(2) + "... [48 lines / 960 chars omitted] ...\n" + traceback + "... [34 lines / 680 chars omitted] ...\n" + info(16)},
		{"a panic", info(50) + panics, 400,
			info(2) + "... [34 lines / 680 chars omitted] ...\n" + info(14) + panics},
		{"a long trace", info(50) + long + info(50), 900,
			info(2) + "... [48 lines / 960 chars omitted] ...\n" + "12:00:00 ERROR failed\n" + strings.Repeat("\tat a.B.c(B.java:1)\n", 4) +
				"... [92 lines / 1840 chars omitted] ...\n" + strings.Repeat("\tat a.B.c(B.java:1)\n", 3) + "\tat the.end(B.java:1)\n" +
				"... [21 lines / 420 chars omitted] ...\n" + info(29)},
		{"a trace with a long line at the end", info(50) + "12:00:00 ERROR failed\n\t" + strings.Repeat("x", 500), 400,
			info(2) + "... [34 lines / 680 chars omitted] ...\n" + info(14) + "12:00:00 ERROR failed\n" + "... [1 lines / 501 chars omitted] ..."},
		{"gaps shorter than their marks", info(50) + entries("ERROR", 1) + info(2) + entries("ERROR", 1) + info(50), 400,
			info(2) + "... [48 lines / 960 chars omitted] ...\n" + entries("ERROR", 1) + info(2) + entries("ERROR", 1) + "... [39 lines / 780 chars omitted] ...\n" + info(11)},
		{"no failures", info(50), 200, info(1) + "... [40 lines / 800 chars omitted] ...\n" + info(9)},
		{"CRLF", strings.ReplaceAll(info(50)+entries("ERROR", 1)+info(50), "\n", "\r\n"), 300,
			strings.ReplaceAll(info(1), "\n", "\r\n") + "... [49 lines / 1029 chars omitted] ...\n" + strings.ReplaceAll(entries("ERROR", 1), "\n", "\r\n") +
				"... [40 lines / 840 chars omitted] ...\n" + strings.ReplaceAll(info(10), "\n", "\r\n")},
		{"a last line that is long", info(50) + entries("ERROR", 50) + strings.Repeat("x", 180), 400,
			info(2) + "... [48 lines / 960 chars omitted] ...\n" + entries("ERROR", 1) + "... [44 lines / 880 chars omitted] ...\n" + entries("ERROR", 5) + strings.Repeat("x", 180)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := smart(t, tt.text, limits(tt.inline, 0.6))
			if diff := cmp.Diff(tt.want, r.Content); diff != "" || r.Strategy != truncation.Smart {
				t.Errorf("strategy %s (-want +got):\n%s", r.Strategy, diff)
			}
		})
	}
}

func TestFailuresBeforeWarnings(t *testing.T) {
	s := entries("INFO", 20) + entries("ERROR", 10) + entries("INFO", 20) + entries("WARN", 30) + entries("INFO", 20)
	got := smart(t, s, limits(300, 0.6)).Content
	if failures, warnings := strings.Count(got, "ERROR"), strings.Count(got, "WARN"); failures < 6 || warnings > 0 {
		t.Errorf("%d failures and %d warnings remain, want 6 and none in\n%s", failures, warnings, got)
	}
}

func TestLogInOrder(t *testing.T) {
	opts := limits(200, 0.6)
	opts.InOrder = true
	if r := smart(t, entries("ERROR", 50), opts); r.Strategy != truncation.HeadTail {
		t.Errorf("strategy %s, want head_tail", r.Strategy)
	}
}

func TestLogNotice(t *testing.T) {
	opts := limits(300, 0.6)
	opts.Notice, opts.FirstLine = true, 101
	want := entries("INFO", 1) + "... [35 lines / 700 chars omitted] ...\n[Lines 102-136 truncated]\n" + entries("INFO", 14)
	if diff := cmp.Diff(want, smart(t, entries("INFO", 50), opts).Content); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLevels covers the places in which programs write levels. Each failure
// must remain of a log that has more other lines than fit.
func TestLevels(t *testing.T) {
	tests := []struct{ name, failure, warning, routine string }{
		{"log4j", "2024-01-02 15:04:05,678 ERROR [main] a.B - x", "2024-01-02 15:04:05,678 WARN  [main] a.B - x", "2024-01-02 15:04:05,678 INFO  [main] a.B - x"},
		{"Python", "ERROR:root:x", "WARNING:root:x", "INFO:root:x"},
		{"Python with time", "2024-01-02 15:04:05,678 - name - CRITICAL - x", "2024-01-02 15:04:05,678 - name - WARNING - x", "2024-01-02 15:04:05,678 - name - DEBUG - x"},
		{"Maven", "[ERROR] x", "[WARNING] x", "[INFO] x"},
		{"padded brackets", "[ERROR] x", "[WARN ] x", "[INFO ] x"},
		{"Rust", "[2024-01-02T15:04:05Z ERROR my_crate] x", "[2024-01-02T15:04:05Z WARN  my_crate] x", "[2024-01-02T15:04:05Z TRACE my_crate] x"},
		{"slog", "time=2024-01-02T15:04:05Z level=ERROR msg=x", "time=2024-01-02T15:04:05Z level=WARN msg=x", "time=2024-01-02T15:04:05Z level=INFO msg=x"},
		{"logfmt", `ts=1 level=error msg="info: x"`, `ts=1 level=warn msg="error: x"`, `ts=1 level=info msg="error: x"`},
		{"quoted logfmt", `ts=1 severity="error"`, `ts=1 severity="warning"`, `ts=1 severity="debug"`},
		{"JSON", `{"ts":"x","level":"error","msg":"x"}`, `{"ts":"x","level":"warn","msg":"x"}`, `{"ts":"x","level":"info","msg":"ERROR"}`},
		{"JSON with spaces", `{"ts": "x", "severity": "CRITICAL"}`, `{"ts": "x", "severity": "WARNING"}`, `{"ts": "x", "severity": "NOTICE"}`},
		{"JSON with numbers", `{"level":50,"msg":"x"}`, `{"level":40,"msg":"x"}`, `{"level":30,"msg":"x"}`},
		{"klog", "E0102 15:04:05.678901       1 a.go:12] x", "W0102 15:04:05.678901       1 a.go:12] x", "I0102 15:04:05.678901       1 a.go:12] x"},
		{"syslog", "<11>Jan  2 15:04:05 host x", "<12>Jan  2 15:04:05 host x", "<14>Jan  2 15:04:05 host x"},
		{"nginx", "2024/01/02 15:04:05 [error] 1234#0: x", "2024/01/02 15:04:05 [warn] 1234#0: x", "2024/01/02 15:04:05 [notice] 1234#0: x"},
		{"compilers", "a.c:1:2: error: x", "a.c:1:2: warning: x", "2024 app: info: x"},
		{".NET", "fail: A.B[0]\n      x", "warn: A.B[0]\n      x", "info: A.B[0]\n      x"},
		{"colours", "\x1b[90m15:04:05\x1b[0m \x1b[31mERR\x1b[0m x", "\x1b[90m15:04:05\x1b[0m \x1b[33mWRN\x1b[0m x", "\x1b[90m15:04:05\x1b[0m \x1b[32mINF\x1b[0m x"},
		{"logrus", "ERRO[0000] x", "WARN[0000] x", "INFO[0000] x"},
		{"npm", "npm ERR! x", "npm WARN x", "npm INFO x"},
		{"npm's own log", "12 error code E404", "11 warn deprecated x", "13 silly fetch x"},
		{"PostgreSQL", "2024-01-02 15:04:05 UTC [1] ERROR:  x", "2024-01-02 15:04:05 UTC [1] WARNING:  x", "2024-01-02 15:04:05 UTC [1] LOG:  no error here"},
		{"test results", "--- FAIL: TestX (0.00s)", "WARNING: x", "--- PASS: TestX (0.00s)"},
		{"threads", "thread 'main' panicked at a.rs:1:2:", "[WARN] x", "[INFO] x"},
		{"threads of Java", `Exception in thread "main" a.B: x`, "[WARN] x", "[INFO] x"},
		{"words that are no levels", "[ERROR] x", "[WARN] x", "[INFO] no error: fatal, /var/ERROR.log ERROR_CODE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			routine := strings.Repeat(tt.routine+"\n", 2000/len(tt.routine))
			s := routine + tt.failure + "\n" + routine + tt.warning + "\n" + routine
			r := smart(t, s, limits(600, 0.6))
			for _, want := range []string{tt.failure, tt.warning} {
				if !strings.Contains(r.Content, "] ...\n"+want+"\n... [") {
					t.Errorf("no %q in %s, strategy %s", want, r.Content, r.Strategy)
				}
			}
		})
	}
}

// TestNoLog covers texts with words that are no levels.
func TestNoLog(t *testing.T) {
	for _, line := range []string{
		"an error in a sentence is no level", "the INFORMATIONAL_ERROR of /var/log/error.log", "see log/ERROR now", "see ERROR.log now", "  ERROR indented", "if err != nil { return error }",
		`{"message":"level"}`, `{"level":"basement"}`, `{"level":{}}`, `{"level":"a word that is longer than any"}`, "E0102", "<>", "<x>error</x>", "\x1b", "\x1b[31", "Errors: 3", "level=", `level="`,
	} {
		if r := smart(t, strings.Repeat(line+"\n", 100), limits(100, 0.6)); r.Strategy == truncation.Smart {
			t.Errorf("lines %q are taken for a log", line)
		}
	}
	few := strings.Repeat(entries("ERROR", 1)+"plain\nwords\nplain\n", 30)
	if r := smart(t, few, limits(100, 0.6)); r.Strategy == truncation.Smart {
		t.Error("a text in which each fourth line has a level is taken for a log")
	}
}

// randomLog returns a log with long and short entries.
func randomLog(r *rand.Rand) string {
	pieces := []string{
		"INFO a\n", "INFO a\n", "12:00 DEBUG b: äöü世界\n", "ERROR c\n", "ERROR d\n\tat e.f(g:1)\n\nCaused by: h\n\tat i\n", "WARN j\n",
		"Traceback (most recent call last):\n  File k\nL: m\n", "panic: n\n\ngoroutine 1 [running]:\no()\n\tp\n", "\n", "  q\n", "r\r\n", "s\r", "\xff\n",
		`{"level":"error"}` + "\n", "ERROR " + strings.Repeat("t", 200) + "\n", "ERROR u\n" + strings.Repeat("\tat v\n", 100), "... [1 lines / 2 chars omitted] ...\n",
	}
	var b strings.Builder
	few := 1 + r.IntN(len(pieces))
	for range r.IntN(300) {
		b.WriteString(pieces[r.IntN(few)])
	}
	return b.String()
}

func checkRandomLog(t *testing.T, seed uint64, inline int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 6))
	s := randomLog(rnd)
	opts := limits(inline, 0.6)
	opts.Notice = rnd.IntN(2) == 0
	r := smart(t, s, opts)
	if r.Strategy != truncation.Smart {
		return
	}
	// If a short failure is left out, no warning in a gap of its own is kept.
	short := func(line string) bool { return line == "ERROR c\n" }
	shown := func(n int) bool {
		return slices.ContainsFunc(r.Shown, func(l truncation.Range) bool { return l.First <= n && n <= l.Last })
	}
	all := slowLines(s)
	if first := slices.IndexFunc(all, short); inline > 1000 && first >= 0 && !slices.ContainsFunc(all[:first], func(l string) bool {
		return strings.Contains(l, "ERROR") || strings.Contains(l, "error") || strings.HasPrefix(l, "Traceback") || strings.HasPrefix(l, "panic")
	}) && !shown(first+1) {
		t.Errorf("seed %d, limit %d: the first failure, line %d, is left out of\n%s", seed, inline, first+1, r.Content)
	}
	for _, o := range r.Omissions {
		if text := s[o.Start:o.End]; o.Lines.Len() == 1 && o.Characters < 10 && r.OriginalCharacters-r.OmittedCharacters < inline-10 {
			t.Errorf("seed %d, limit %d: a mark for %q in\n%s", seed, inline, text, r.Content)
		}
	}
}

func TestRandomLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		checkRandomLog(t, r.Uint64(), 1+r.IntN(3000))
	}
}

func FuzzSmartLog(f *testing.F) {
	f.Add(uint64(1), 500, entries("INFO", 50)+entries("ERROR", 5)+entries("INFO", 50))
	f.Add(uint64(2), 200, strings.Repeat(`{"level":"error","msg":"x"}`+"\n", 50))
	f.Add(uint64(3), 90, strings.Repeat("\x1b[31mERR\x1b[0m x\r\n", 50))
	f.Add(uint64(4), 60, strings.Repeat("level=info\rE0102 15:04\r", 50))
	f.Fuzz(func(t *testing.T, seed uint64, inline int, s string) {
		if inline < 1 {
			return // not a valid limit
		}
		smart(t, s, limits(inline, 0.6))
		checkRandomLog(t, seed, 1+inline%3000)
	})
}
