package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// serverBench is the part of a run that measures language servers from
// outside, over stdin and stdout: acode-ls, the floor and gopls.
type serverBench struct {
	*bench
	servers  []server
	sessions []*session
	rows     []row
	notes    []string
}

func (b *bench) languageServers() (*serverBench, error) {
	s := &serverBench{bench: b}
	s.findServers()
	s.spawnRow()
	s.openSessions()
	s.requestRows()
	s.changeRows()
	for _, opened := range s.sessions {
		opened.close()
	}
	s.memoryRows()
	return s, nil
}

// findServers looks for the servers beside the floor.
func (b *serverBench) findServers() {
	b.servers = []server{{kind: floor, argv: []string{b.tool("echo")}}}
	if path, err := findProgram(b.acode); err != nil {
		b.notes = append(b.notes, "acode-ls: not here: "+err.Error())
	} else {
		b.servers = append(b.servers, server{subject, []string{path, "serve"}, nil, object{"diagnosticsDelayMs": 0}})
	}
	if path, err := findProgram(b.gopls); err != nil {
		b.notes = append(b.notes, "gopls: not here: "+err.Error())
	} else {
		cache := filepath.Join(b.folder, "gopls-cache")
		b.servers = append(b.servers, server{peer, []string{path, "serve"}, []string{"GOPLSCACHE=" + cache}, object{"pullDiagnostics": true}})
	}
}

// findProgram returns the absolute path of a program, as servers are started
// in other folders.
func findProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// fail notes why a server has no value in a row.
func (b *serverBench) fail(k kind, name string, err error) {
	b.notes = append(b.notes, fmt.Sprintf("%s: %s: %v", [kinds]string{"acode-ls", "echo", "gopls"}[k], name, err))
}

func (b *serverBench) spawnRow() {
	samples := b.inTurns(b.spawns, func(s server) (float64, error) {
		folder, err := b.newFolder()
		if err != nil {
			return 0, err
		}
		if _, _, err := generate(folder); err != nil {
			return 0, err
		}
		c, took, err := s.start(folder)
		if err != nil {
			return 0, err
		}
		c.close()
		return milliseconds(took), nil
	}, "spawn")
	b.rows = append(b.rows, row{"spawn → initialized", "ms", goal{amount: 10}, samples})
}

// inTurns calls measure n times for each server, one after another, and
// returns the medians.
func (b *serverBench) inTurns(n int, measure func(server) (float64, error), name string) [kinds]float64 {
	var samples [kinds][]float64
	var failed [kinds]bool
	for range n {
		for _, s := range b.servers {
			if failed[s.kind] {
				continue
			}
			value, err := measure(s)
			if err != nil {
				b.fail(s.kind, name, err)
				failed[s.kind] = true
				continue
			}
			samples[s.kind] = append(samples[s.kind], value)
		}
	}
	return medians(samples, failed)
}

func (b *serverBench) openSessions() {
	for _, s := range b.servers {
		folder, err := b.newFolder()
		if err != nil {
			b.fail(s.kind, "open", err)
			continue
		}
		opened, err := s.open(folder)
		if err != nil {
			b.fail(s.kind, "open", err)
			continue
		}
		b.sessions = append(b.sessions, opened)
	}
}

// exchange is one measured round trip in a session.
type exchange func(*session) (time.Duration, error)

// errNotAsked says that a row is not for this server.
var errNotAsked = errors.New("not asked")

// add measures a row. Subject and floor take turns at every single exchange:
// an exchange of tens of microseconds costs up to three times as much or as
// little depending on where the system happens to run the two processes, and
// only turns this short give both servers the same share of that.
func (b *serverBench) add(name string, g goal, do exchange) {
	const warmUp = 30
	var samples [kinds][]float64
	var failed [kinds]bool
	for i := range warmUp + b.iterations {
		for _, s := range b.sessions {
			if failed[s.kind] || s.kind == peer && i >= warmUp+200 { // it is slower by far, and no goal hangs on it
				continue
			}
			took, err := do(s)
			if err != nil {
				failed[s.kind] = true
				if !errors.Is(err, errNotAsked) {
					b.fail(s.kind, name, err)
				}
			} else if i >= warmUp {
				samples[s.kind] = append(samples[s.kind], milliseconds(took))
			}
		}
	}
	b.rows = append(b.rows, row{name, "ms", g, medians(samples, failed)})
}

// requestRows measures requests about the small document.
func (b *serverBench) requestRows() {
	b.add("unknown method", goal{}, (*session).hello)
	twice := goal{ofFloor: 2}
	b.request("hover", "textDocument/hover", true, 150, twice, func(d document) object {
		return object{"textDocument": object{"uri": d.uri()}, "position": object{"line": 7, "character": 6}}
	})
	b.request("acode/state", "acode/state", false, 600, twice, func(d document) object {
		return object{"textDocument": object{"uri": d.uri()}}
	})
	b.request("acode/checkEdit", "acode/checkEdit", false, 60, twice, func(d document) object {
		return object{"edit": object{"changes": object{d.uri(): []object{{
			"newText": "// changed\n",
			"range":   object{"start": object{"line": readFirst, "character": 0}, "end": object{"line": readFirst + 1, "character": 0}},
		}}}}}
	})
	b.request("acode/read, 100 lines", "acode/read", false, 4000, twice, readParams)
}

// request measures a request whose result at the floor is as large as the
// subject's, or of assumed bytes where there is no subject.
func (b *serverBench) request(name, method string, standard bool, assumed int, g goal, params func(document) object) {
	size := assumed
	for _, s := range b.sessions {
		if s.kind == subject {
			if n, _, err := s.ask(method, params(s.small), 0); err == nil {
				size = n
			}
		}
	}
	b.add(fmt.Sprintf("%s (%d bytes)", name, size), g, func(s *session) (time.Duration, error) {
		if s.kind == peer && !standard {
			return 0, errNotAsked
		}
		_, took, err := s.ask(method, params(s.small), size)
		return took, err
	})
}

func (b *serverBench) changeRows() {
	change := func(name string, most float64, full, large bool) {
		b.add("didChange → diagnostics, "+name, goal{amount: most}, func(s *session) (time.Duration, error) {
			if large {
				return s.edit(s.large, full)
			}
			return s.edit(s.small, full)
		})
	}
	change("200 lines, full", 2, true, false)
	change("200 lines, incremental", 1, false, false)
	change("10,000 lines, full", 8, true, true)
	change("10,000 lines, incremental", 1, false, true)
}

// memoryRows measures fresh servers.
func (b *serverBench) memoryRows() {
	idle := b.inTurns(3, func(s server) (float64, error) {
		folder, err := b.newFolder()
		if err != nil {
			return 0, err
		}
		if _, _, err := generate(folder); err != nil {
			return 0, err
		}
		resident, err := s.rss(folder, nil, 0)
		return megabytes(resident), err
	}, "memory")
	b.rows = append(b.rows, row{"rss idle", "MB", goal{amount: 30}, idle})

	tracked := b.inTurns(1, func(s server) (float64, error) {
		if s.kind == peer {
			return -1, nil
		}
		folder, err := b.newFolder()
		if err != nil {
			return 0, err
		}
		documents, err := generateMany(folder)
		if err != nil {
			return 0, err
		}
		resident, err := s.rss(folder, documents, 4000)
		return megabytes(resident), err
	}, "memory with 1,000 files")
	b.rows = append(b.rows, row{"rss, 1,000 files tracked", "MB", goal{amount: 40}, tracked})
}

// medians returns -1 for a kind that failed or was never measured.
func medians(samples [kinds][]float64, failed [kinds]bool) [kinds]float64 {
	var m [kinds]float64
	for k, values := range samples {
		m[k] = -1
		if len(values) > 0 && !failed[k] {
			slices.Sort(values)
			m[k] = values[len(values)/2]
		}
	}
	return m
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
func megabytes(bytes int64) float64        { return float64(bytes) / (1 << 20) }
