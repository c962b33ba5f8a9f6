package signatures_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/signatures"
)

// TestFailures reads outputs of tools in which "! " is put before each line
// that tells of a failure, and two spaces before the others.
func TestFailures(t *testing.T) {
	files, err := filepath.Glob("testdata/failures/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no outputs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(string(data), "\r\n", "\n")
			var output strings.Builder
			for line := range strings.Lines(want) {
				output.WriteString(line[len("! "):])
			}
			marks := make(map[int]bool)
			for _, failure := range signatures.Failures(output.String()) {
				marks[failure.Line] = true
			}
			var got strings.Builder
			n := 0
			for line := range strings.Lines(output.String()) {
				n++
				mark := "  "
				if marks[n] {
					mark = "! "
				}
				got.WriteString(mark + line)
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailureLines(t *testing.T) {
	for _, test := range []struct {
		want  bool
		lines string
	}{
		{true, `
error: no such file
			> Task :compileJava FAILED
			FooTest > returns 3 FAILED
			FAILURE: Build failed with an exception.
			[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0
			[INFO] BUILD FAILURE
			Program.cs(3,5): error CS1002: ; expected [/src/a.csproj]
			Failed!  - Failed:     1, Passed:     2, Skipped:     0
			  Failed Adds [3 ms]
			     Failure/Error: expect(1 + 1).to eq 3
			3 examples, 1 failure
			FAILURES!
			Tests: 3, Assertions: 3, Failures: 1.
			#  2 errors generated.
			ld: fatal error: no input
			main.c:(.text+0x5): undefined reference to 'foo'
			Segmentation fault (core dumped)
			Process finished with exit code 137
			make[1]: *** [Makefile:3: a] Error 2
			npm ERR! code ELIFECYCLE
			error Command failed with exit code 1.
			Unhandled exception. System.Exception: boom
			Uncaught ReferenceError: x is not defined
			fatal: not a git repository
			fatal error: all goroutines are asleep - deadlock!
			bash: foo: command not found
			./run.sh: line 3: syntax error near unexpected token 'fi'
			2026-01-02 03:04:05 ERROR [main] db: connection lost
			2026-01-02T03:04:05Z CRITICAL disk full
			[2026-01-02 03:04:05] [error] upstream timed out
			time="2026-01-02T03:04:05Z" level=error msg="no route"
			{"level":"error","msg":"x","ts":1}
			{"severity": "CRITICAL", "message": "x"}
			E0102 15:04:05.678901    1234 file.go:12] cannot list pods
			F0102 15:04:05.678901    1234 file.go:12] exiting
			10:00AM ERR cannot connect
			fail: Microsoft.AspNetCore.Server.Kestrel[13]
			not ok 3 - adds
			signal: killed
			Error: Cannot find module 'x'
			error: src refspec main does not match any
			  1) FAIL: adds
			An error occurred while installing rake
			❌ 2 tests failed
			Caused by: java.lang.OutOfMemoryError
		`},
		{false, `
			0 errors, 0 warnings
			no errors found
			errors: 0
			Errors: 0, Failures: 0
			failed: 0
			0 failed, 3 passed
			Tests run: 3, Failures: 0, Errors: 0, Skipped: 0
			error handling works
			--- PASS: TestError (0.00s)
			=== RUN   TestFailed
			ok  	example.com/errors	0.003s
			test fails::panics ... ok
			test_x.py::test_error PASSED
			✓ returns error: x
			ok 1 - not ok: error
			error.go
			./internal/errors/error_test.go
			gcc -Werror -c a.c
			+ gcc -Werror=format error: a.c
			INFO error: retrying
			[INFO] 0 errors
			level=info msg="error: x"
			{"level":"warn","error":"x"}
			{"error":null}
			W0102 15:04:05.678901    1234 file.go:12] error: x
			2026-01-02 WARN failed to connect, will retry
			a.c:3:5: warning: unused variable 'error' [-Wunused]
			return fmt.Errorf("error: %w", err)
			func fail() error {
			except ValueError: pass
			not ok 3 # TODO later
			● nginx.service - web server
			exit status 0
			Process finished with exit code 0
			make: Nothing to be done for 'all'.
			x.go:12: a line of a log
			on error: retry
			the build will not fail
			errors.New
			panic.go
			FAIL_FAST=1
			killed
			Compiling thiserror v1.0.0
			# fail 0
			no failures
			no error: everything is fine
			0 error: everything is fine
			error=<nil>
			without error: ok then
		`},
	} {
		for line := range strings.Lines(strings.TrimSpace(lines("\n" + test.lines))) {
			line = strings.TrimRight(line, "\n")
			if got := len(signatures.Failures(line)) > 0; got != test.want {
				t.Errorf("Failures(%q) finds one: %t, want %t", line, got, test.want)
			}
			colored := "\x1b[1;31m" + line + "\x1b[0m"
			if got := len(signatures.Failures(colored)) > 0; got != test.want {
				t.Errorf("Failures(%q) finds one: %t, want %t", colored, got, test.want)
			}
		}
	}
}

func TestFailureText(t *testing.T) {
	long := "error: " + strings.Repeat("é", 300)
	for _, test := range []struct {
		output string
		want   []signatures.Failure
	}{
		{"", nil},
		{"fine\n", nil},
		{"error: a", []signatures.Failure{{1, "error: a"}}},
		{"\r\n\r\n  error: a  \r\n", []signatures.Failure{{3, "error: a"}}},
		{"10%\r20%\rerror: a\rdone\n\nerror: b\n", []signatures.Failure{{3, "error: a"}, {6, "error: b"}}},
		{"\x1b[31merror\x1b[0m\x1b]8;;x\x07: a\x1b[K\n", []signatures.Failure{{1, "error: a"}}},
		{long, []signatures.Failure{{1, long[:len("error: ")+2*(200-len("error: "))]}}},
		{"error: \xff\n", []signatures.Failure{{1, "error: \ufffd"}}},
		{strings.Repeat("x", 1<<20) + " error: a\nerror: b\n", []signatures.Failure{{2, "error: b"}}},
		{"error: a" + strings.Repeat("x", 1<<20) + "\nerror: b\n", []signatures.Failure{{1, "error: a" + strings.Repeat("x", 200-len("error: a"))}, {2, "error: b"}}},
	} {
		if diff := cmp.Diff(test.want, signatures.Failures(test.output)); diff != "" {
			t.Errorf("Failures(%.60q) (-want +got):\n%s", test.output, diff)
		}
	}
}

func TestFailureScannerKeepsFirst(t *testing.T) {
	var scanner signatures.FailureScanner
	for i := range 60 {
		fmt.Fprintf(&scanner, "error: number %d\nfine\n", i)
	}
	if got := scanner.Total(); got != 60 {
		t.Errorf("Total() = %d, want 60", got)
	}
	failures := scanner.Failures()
	if len(failures) != 50 {
		t.Fatalf("Failures() has %d, want 50", len(failures))
	}
	want := signatures.Failure{Line: 99, Text: "error: number 49"}
	if diff := cmp.Diff(want, failures[49]); diff != "" {
		t.Errorf("the last of Failures() (-want +got):\n%s", diff)
	}
	scanner.WriteString("error: without a line end")
	if got := scanner.Total(); got != 61 {
		t.Errorf("Total() = %d, want 61", got)
	}
}

func TestFailureHint(t *testing.T) {
	many := make([]signatures.Failure, 50)
	for i := range many {
		many[i] = signatures.Failure{Line: i + 1, Text: "error: something went wrong"}
	}
	shown := make([]string, 0, 50)
	for i := range 14 {
		shown = append(shown, fmt.Sprintf("%d: error: something went wrong", i+1))
	}
	for _, test := range []struct {
		total    int
		failures []signatures.Failure
		want     string
	}{
		{0, nil, ""},
		{1, []signatures.Failure{{7, "FAIL TestX"}}, "contains 1 failure line: 7: FAIL TestX"},
		{2, []signatures.Failure{{4233, "FAIL TestX"}, {4301, "panic: boom"}}, "contains 2 failure lines: 4233: FAIL TestX; 4301: panic: boom"},
		{3, []signatures.Failure{{4233, "FAIL TestX"}, {4301, "panic: boom"}}, "contains 3 failure lines: 4233: FAIL TestX; 4301: panic: boom, +1 more"},
		{70, many, "contains 70 failure lines: " + strings.Join(shown, "; ") + ", +56 more"},
	} {
		got := signatures.FailureHint(test.total, test.failures)
		if got != test.want {
			t.Errorf("FailureHint(%d, %d failures) = %q, want %q", test.total, len(test.failures), got, test.want)
		}
		if n := text.CodePoints(got); n > 500 {
			t.Errorf("FailureHint(%d, %d failures) has %d characters", test.total, len(test.failures), n)
		}
	}
}

// FuzzFailures compares a stream in parts with one line at a time, and the
// search for keywords with a plain one.
func FuzzFailures(f *testing.F) {
	f.Add("a\r\nerror: b\r\rc\n\n--- FAIL: d\n", uint8(3))
	f.Add("=== FAILURES ===\n===== FAILURES =====\nE  a\nE  b\nE\n===== x =====\nE  c\n", uint8(1))
	f.Add("xerrorx err! \xe2\x9c\x95 a\n\n\n *** make: *** b", uint8(7))
	f.Fuzz(func(t *testing.T, output string, size uint8) {
		var whole, parts, lines signatures.FailureScanner
		whole.WriteString(output)
		for rest := output; rest != ""; {
			n := min(int(size)+1, len(rest))
			parts.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		split := text.Split(output)
		for n := 1; n <= split.Len(); n++ {
			for _, b := range []byte(split.Full(n)) {
				lines.Write([]byte{b})
			}
		}
		if diff := cmp.Diff(whole.Failures(), parts.Failures()); diff != "" || whole.Total() != parts.Total() {
			t.Errorf("of %q in parts of %d, %d and not %d failures (-whole +parts):\n%s", output, size+1, parts.Total(), whole.Total(), diff)
		}
		if diff := cmp.Diff(whole.Failures(), lines.Failures()); diff != "" {
			t.Errorf("of %q byte by byte (-whole +bytes):\n%s", output, diff)
		}
		for _, failure := range whole.Failures() {
			if failure.Line < 1 || split.Len() < failure.Line || text.CodePoints(failure.Text) > 200 {
				t.Errorf("of %q, a failure is %+v", output, failure)
			}
		}
	})
}

// TestKeywordsAtAnyOffset holds that a keyword is found wherever it starts.
func TestKeywordsAtAnyOffset(t *testing.T) {
	for _, keyword := range []string{
		"error", "ERROR", "err!", "Err ", "fail", "panic", "fatal", "Exception", "Traceback", "critical", "not ok", "Killed", "segmentation",
		"core dumped", "abort", "exit ", "undefined reference", ".go:1:2: ", "such file", "command not", "denied", " *** ", "✕ ", "✖ ", "✗ ", "✘ ", " × ", "❌ ", "● ",
	} {
		for before := range 20 {
			for after := range 20 {
				line := strings.Repeat("-", before) + keyword + strings.Repeat("-", after)
				if !signatures.HasKeyword(line) {
					t.Fatalf("no keyword is found in %q", line)
				}
			}
		}
	}
	if line := "a line without one of the words, of some length"; signatures.HasKeyword(line) {
		t.Errorf("a keyword is found in %q", line)
	}
}
