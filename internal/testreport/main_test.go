package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const (
		pass = `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`
		skip = `{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:2: no Neovim\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`
		fail = `{"Action":"output","Package":"p","Test":"TestC","Output":"=== RUN   TestC\n"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:3: wrong\n"}
{"Action":"output","Package":"p","Test":"TestC","Output":"--- FAIL: TestC (0.00s)\n"}
{"Action":"fail","Package":"p","Test":"TestC"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
`
		died = `{"Action":"output","Package":"p","Test":"TestD","Output":"panic: oh\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}
`
		build = `{"ImportPath":"p","Action":"build-output","Output":"p.go:1:1: syntax error\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
{"Action":"fail","Package":"p"}
`
		noTests = `{"Action":"output","Package":"q","Output":"?   \tq\t[no test files]\n"}
{"Action":"skip","Package":"q"}
`
	)
	tests := []struct {
		name, events string
		strict       bool
		want         string
		wantErr      string // "" for none
	}{
		{"nothing", "", true, "tests: 0 passed, 0 failed, 0 skipped\n", ""},
		{"pass", pass, true, "ok  \tp\t0.1s\ntests: 1 passed, 0 failed, 0 skipped\n", ""},
		{"package without tests", noTests, true, "?   \tq\t[no test files]\ntests: 0 passed, 0 failed, 0 skipped\n", ""},
		{"skip", skip, false, "ok  \tp\t0.1s\ntests: 0 passed, 0 failed, 1 skipped\nskipped: p TestB: b_test.go:2: no Neovim\n", ""},
		{"skip in CI", skip, true, "ok  \tp\t0.1s\ntests: 0 passed, 0 failed, 1 skipped\nskipped: p TestB: b_test.go:2: no Neovim\n", "nothing may be skipped"},
		{"fail", fail, false, "    c_test.go:3: wrong\n--- FAIL: TestC (0.00s)\nFAIL\tp\t0.1s\ntests: 0 passed, 1 failed, 0 skipped\n", "1 tests in 1 packages"},
		{"panic", died, false, "FAIL\tp\t0.1s\npanic: oh\ntests: 0 passed, 0 failed, 0 skipped\n", "0 tests in 1 packages"},
		{"build", build, false, "p.go:1:1: syntax error\nFAIL\tp [build failed]\ntests: 0 passed, 0 failed, 0 skipped\n", "in 1 packages"},
		{"plain words", "go: cannot find it\n", false, "go: cannot find it\ntests: 0 passed, 0 failed, 0 skipped\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			err := report(strings.NewReader(test.events), &out, test.strict)
			if out.String() != test.want {
				t.Errorf("report printed\n%s\nwant\n%s", out.String(), test.want)
			}
			if got := errorText(err); (got == "") != (test.wantErr == "") || !strings.Contains(got, test.wantErr) {
				t.Errorf("report: error %q, want one with %q", got, test.wantErr)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
