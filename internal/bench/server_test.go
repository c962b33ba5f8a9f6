package main

import (
	"runtime"
	"strings"
	"testing"
)

func measureServers(t *testing.T, set func(*bench)) *serverBench {
	t.Helper()
	b, err := newBench(options{gopls: "no-such-program", iterations: 10, spawns: 1, tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	set(b)
	servers, err := b.languageServers()
	if err != nil {
		t.Fatal(err)
	}
	return servers
}

// TestServers has the echo server play acode-ls as well, which it can, as it
// answers anything: each row then has a value for both.
func TestServers(t *testing.T) {
	b := measureServers(t, func(b *bench) { b.acode = b.tool("echo") })
	if len(b.rows) != 12 {
		t.Errorf("languageServers: %d rows, want 12", len(b.rows))
	}
	for _, r := range b.rows {
		if r.unit == "MB" && runtime.GOOS == "windows" {
			continue
		}
		if r.values[subject] <= 0 || r.values[floor] <= 0 || r.values[peer] != -1 {
			t.Errorf("languageServers: row %q has values %v, want two positive ones and -1", r.name, r.values)
		}
	}
	if len(b.notes) != 1 || !strings.HasPrefix(b.notes[0], "gopls: not here") {
		if runtime.GOOS != "windows" {
			t.Errorf("languageServers: notes %q, want one that gopls is not here", b.notes)
		}
	}
}

// TestServersFailing sees a server that answers nothing named in the notes,
// and the other rows unharmed.
func TestServersFailing(t *testing.T) {
	b := measureServers(t, func(b *bench) { b.acode = "go" }) // "go serve" ends at once
	for _, r := range b.rows {
		if r.unit == "ms" && (r.values[subject] != -1 || r.values[floor] <= 0) {
			t.Errorf("languageServers: row %q has values %v, want -1 and a positive one", r.name, r.values)
		}
	}
	if notes := strings.Join(b.notes, "\n"); !strings.Contains(notes, "acode-ls: spawn: ") || !strings.Contains(notes, "unknown command") {
		t.Errorf("languageServers: notes %q, want why acode-ls was not measured", notes)
	}
}

func TestRow(t *testing.T) {
	tests := []struct {
		goal           goal
		subject, floor float64
		want           string // value, ratio, goal, met
	}{
		{goal{}, 0.5, 0.25, "0.500 2.00 – –"},
		{goal{amount: 10}, 9.5, 2, "9.50 4.75 ≤ 10 ms yes"},
		{goal{amount: 10}, 10.5, 2, "10.5 5.25 ≤ 10 ms no"},
		{goal{ofFloor: 2}, 0.5, 0.25, "0.500 2.00 ≤ 2 × floor yes"},
		{goal{ofFloor: 2}, 0.51, 0.25, "0.510 2.04 ≤ 2 × floor no"},
		{goal{ofFloor: 2}, -1, 0.25, "– – ≤ 2 × floor –"},
		{goal{ofFloor: 2}, 0.5, -1, "0.500 – ≤ 2 × floor –"},
	}
	for _, test := range tests {
		r := row{"row", "ms", test.goal, [kinds]float64{test.subject, test.floor, -1}}
		if got := strings.Join([]string{r.value(subject), r.ratio(), r.goalText(), r.met()}, " "); got != test.want {
			t.Errorf("row of %v: %s, want %s", r.values, got, test.want)
		}
	}
}
