package main

import (
	"bytes"
	"log"
	"os"
	"strings"
	"testing"
	"time"
)

// tools is the folder of the programs that acode-ls is held against.
var tools string

func TestMain(m *testing.M) {
	if err := withTools(func() { m.Run() }); err != nil {
		log.Fatal(err)
	}
}

func withTools(run func()) error {
	folder, err := os.MkdirTemp("", "acode-bench-tools")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := buildTools(folder); err != nil {
		return err
	}
	tools = folder
	run()
	return nil
}

// TestQuick runs all sections but those of the servers and hooks with tiny
// sizes, the plain program standing in for acode-ls.
func TestQuick(t *testing.T) {
	o := options{gopls: "no-such-program", rounds: 1, quick: true, huge: true, tools: tools}
	b, err := newBench(o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	b.acode = b.tool("reference")
	for _, s := range sections {
		if s.name == "servers" || s.name == "mcp" || s.name == "hooks" {
			continue
		}
		measured, err := s.measure(b)
		if err != nil {
			t.Errorf("measuring %s: %v", s.name, err)
			continue
		}
		r := measured.(*report)
		if len(r.lines) < 5 {
			t.Errorf("%s has %d lines, want at least 5", s.name, len(r.lines))
		}
		for _, l := range r.lines {
			if l.bound.amount > 0 && l.value < 0 {
				t.Errorf("%s: %s has a goal and no value; notes %q", s.name, l.name, r.notes)
			}
		}
		var printed bytes.Buffer
		if err := r.print(&printed); err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(printed.String()) {
			if n := len([]rune(text)); n > 121 { // on a busy machine numbers are longer
				t.Errorf("%s prints a line of %d columns: %s", s.name, n-1, text)
			}
		}
	}
}

// TestRunSome sees that only the sections that were asked for are measured,
// and what is said of a program that is not there.
func TestRunSome(t *testing.T) {
	var out bytes.Buffer
	if err := run(options{acode: "no-such-program", run: "^elements$", rounds: 1, quick: true, tools: tools}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Elements of JSON", "process, speed: not here\n", "goals missed: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("run: %q is not in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "Limits") {
		t.Errorf("run -run ^elements$ measures more:\n%s", &out)
	}
}

func TestLine(t *testing.T) {
	tests := []struct {
		line line
		want string // beside, ratio, goal, met
	}{
		{line{unit: "ms", value: 2}, "– | – | – | –"},
		{line{unit: "ms", value: 2, bound: atMost(2)}, "– | – | ≤ 2 ms | yes"},
		{line{unit: "ms", value: 2.1, bound: atMost(2)}, "– | – | ≤ 2 ms | no"},
		{line{unit: "MB/s", value: 500, beside: "x", other: 250, bound: atLeast(500)}, "x 250 | 2.00 | ≥ 500 MB/s | yes"},
		{line{unit: "MB/s", value: 499, beside: "x", other: 250, bound: atLeast(500)}, "x 250 | 2.00 | ≥ 500 MB/s | no"},
		{line{unit: "ms", value: 5, beside: "x", other: 2, bound: atMostTimes(2.5)}, "x 2.00 | 2.50 | ≤ 2.5 × | yes"},
		{line{unit: "ms", value: 6, beside: "x", other: 2, bound: atMostTimes(2.5)}, "x 2.00 | 3.00 | ≤ 2.5 × | no"},
		{line{unit: "MB/s", value: 30, beside: "x", other: 2, bound: atLeastTimes(20)}, "x 2.00 | 15.00 | ≥ 20 × | no"},
		{line{unit: "MB/s", value: 50, beside: "x", other: 2, bound: atLeastTimes(20)}, "x 2.00 | 25.00 | ≥ 20 × | yes"},
		{line{unit: "MB/s", value: 50, beside: "x", other: -1, bound: atLeastTimes(20)}, "x: not here | – | ≥ 20 × | –"},
		{line{unit: "MB/s", value: -1, beside: "x", other: 2, bound: atLeast(20)}, "x 2.00 | – | ≥ 20 MB/s | –"},
	}
	for _, test := range tests {
		l := test.line
		if got := strings.Join([]string{l.besides(), l.ratio(), l.goal(), l.met()}, " | "); got != test.want {
			t.Errorf("line %+v: %s, want %s", l, got, test.want)
		}
	}
}

// TestTurns sees each work take its turn, the medians, and a work left alone
// once it failed.
func TestTurns(t *testing.T) {
	var order strings.Builder
	next := []time.Duration{5, 1, 3}
	outcomes := turns(3,
		func() (cost, error) {
			order.WriteByte('a')
			c := cost{cpu: next[0], wall: 2 * next[0], memory: int64(next[0])}
			next = next[1:]
			return c, nil
		},
		func() (cost, error) { order.WriteByte('b'); return cost{}, errNotHere },
		func() (cost, error) { order.WriteByte('c'); return cost{}, nil })
	if got, want := order.String(), "abcacac"; got != want {
		t.Errorf("turns: order %s, want %s", got, want)
	}
	if got, want := outcomes[0].cost, (cost{3, 6, 3}); got != want || outcomes[0].err != nil {
		t.Errorf("turns: %v, %v, want %v", got, outcomes[0].err, want)
	}
	if outcomes[1].err != errNotHere {
		t.Errorf("turns: error %v, want %v", outcomes[1].err, errNotHere)
	}
}

func TestScans(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{{`[]`, 0}, {`[1, {"a": [2, 3], "b]\"": 4}, "x,[", 5]`, 3}, {`["`, 0}, {`["\`, 0}} {
		if got := scanJSON(test.text); got != test.want {
			t.Errorf("scanJSON(%q) = %d, want %d", test.text, got, test.want)
		}
	}
	for _, test := range []struct {
		text string
		want int
	}{{"<a></a>", 0}, {"<a><b>x</b><c/><b><d></d></b></a>", 2}, {"<", 0}, {"<>", 0}} {
		if got := scanXML(test.text); got != test.want {
			t.Errorf("scanXML(%q) = %d, want %d", test.text, got, test.want)
		}
	}
	for _, size := range []int{20_000, 20_001, 20_002, 20_003} {
		if got := len(mixed(size)); got != size {
			t.Errorf("len(mixed(%d)) = %d", size, got)
		}
	}
}
