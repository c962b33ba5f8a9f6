package main

import (
	"maps"
	"path/filepath"
	"slices"
	"time"
)

// mcpServer is an MCP server that is measured, and the calls by which it does
// what the others do.
type mcpServer struct {
	argv   []string // nil: not here
	folder string   // its workspace

	echo, lines, short, whole toolCall

	client *mcpClient
	err    error // why it cannot be measured
}

// The servers of a run, in this order.
const (
	mcpAlone     = iota
	mcpAttached  // beside an editor's server
	mcpSDK       // the plain one, on the same SDK
	mcpReference // the server for files of those who make the protocol
	mcpServers
)

var mcpNames = [mcpServers]string{"alone", "attached", "SDK", "reference"}

// mcp measures MCP servers from outside, over stdin and stdout.
func (b *bench) mcp() (*report, error) {
	r := &report{title: "MCP, p50"}
	var servers [mcpServers]*mcpServer
	for i := range servers {
		var err error
		if servers[i], err = b.newMCPServer(i); err != nil {
			return nil, err
		}
	}
	attached := servers[mcpAttached]
	small := newDocument(attached.folder, "small", smallLines)
	editor, err := b.openEditor(attached.folder, small)
	if err == nil {
		defer editor.close()
	}
	attached.err = err
	b.mcpStarts(r, servers[:])
	for _, s := range servers {
		s.open()
		defer s.close()
	}
	if attached.err == nil {
		_, attached.err = attached.client.call(toolCall{"read_file", object{"path": small.path}, unsaved})
	}
	b.mcpCalls(r, servers[:])
	mcpMemory(r, servers[:])
	return r, nil
}

// newMCPServer makes a workspace for a server. Its calls answer with a text
// that only the right lines hold.
func (b *bench) newMCPServer(which int) (*mcpServer, error) {
	folder, err := b.newFolder()
	if err != nil {
		return nil, err
	}
	_, large, err := generate(folder)
	if err != nil {
		return nil, err
	}
	hundred := newDocument(folder, "hundred", 100)
	// Some thousand characters more would be stored.
	short := document{filepath.Join(folder, "short.txt"), repeated(45_900, "%3x\n"), largeLines}
	if err := write(map[string]string{hundred.path: hundred.text, short.path: short.text}); err != nil {
		return nil, err
	}
	const within = "func large19("
	lines := object{"path": large.path, "start_line": 1, "end_line": 100}
	s := &mcpServer{folder: folder}
	switch which {
	case mcpSDK:
		s.argv = []string{b.tool("mcpecho")}
		s.echo = toolCall{"echo", object{"message": "hundred.go"}, "hundred.go"}
		s.lines = toolCall{"read", lines, within}
	case mcpReference:
		if node, script := nodePeer("@modelcontextprotocol", "server-filesystem", "dist", "index.js"); node != "" {
			s.argv = []string{node, script, folder}
		}
		s.echo = toolCall{"list_allowed_directories", object{}, filepath.Base(folder)}
		s.lines = toolCall{"read_text_file", object{"path": large.path, "head": 100}, within}
		s.short = toolCall{"read_text_file", object{"path": short.path, "head": 100}, "63"}
		s.whole = s.lines // it cannot cut what is long
	default:
		if path, err := findProgram(b.acode); err == nil {
			s.argv = []string{path, "mcp"}
		}
		s.echo = toolCall{"awareness_state", object{"path": hundred.path}, "hundred.go"}
		s.lines = toolCall{"read_file", lines, within}
		s.short = toolCall{"read_file", object{"path": short.path}, "omitted"}
		s.whole = toolCall{"read_file", object{"path": large.path}, "[Artifact: "}
	}
	return s, nil
}

func (s *mcpServer) start() (*mcpClient, time.Duration, error) {
	switch {
	case s.err != nil:
		return nil, 0, s.err
	case s.argv == nil:
		return nil, 0, errNotHere
	}
	return startMCP(s.argv, s.folder)
}

// open starts the server for its calls, and has it read what it is asked about.
func (s *mcpServer) open() {
	if s.client, _, s.err = s.start(); s.err == nil && s.echo.tool == "awareness_state" {
		_, s.err = s.client.call(toolCall{"read_file", s.echo.arguments, "hundred19("})
	}
}

func (s *mcpServer) close() {
	if s.client != nil {
		s.client.close()
	}
}

func (b *bench) mcpStarts(r *report, servers []*mcpServer) {
	took := mcpTurns(b.spawns, 1, servers, func(s *mcpServer) (time.Duration, error) {
		c, took, err := s.start()
		if err == nil {
			c.close()
		}
		return took, err
	})
	r.mcpLines("spawn → initialized", wallMilliseconds, took, mcpSDK, atMost(10))
	r.mcpLines("spawn → initialized", wallMilliseconds, took, mcpReference, bound{})
}

// mcpTurns returns what an exchange takes at each server at the median.
func mcpTurns(n, warmUp int, servers []*mcpServer, do func(*mcpServer) (time.Duration, error)) []outcome {
	works := make([]func(int) (time.Duration, error), len(servers))
	for i, s := range servers {
		works[i] = func(int) (time.Duration, error) { return do(s) }
	}
	var out []outcome
	for _, l := range latencies(n, warmUp, works...) {
		out = append(out, l.p50)
	}
	return out
}

// mcpLines adds lines about acode-ls beside another server.
func (r *report) mcpLines(name string, m metric, of []outcome, beside int, goal bound) {
	for _, ours := range []int{mcpAlone, mcpAttached} {
		r.add(name+", "+mcpNames[ours], m, of[ours], mcpNames[beside], of[beside], goal)
	}
}

// mostStored is how often a text is read that is stored each time: a session
// may store 120 a minute.
const mostStored = 100

func (b *bench) mcpCalls(r *report, servers []*mcpServer) {
	for _, row := range []struct {
		name   string
		times  int
		call   func(*mcpServer) toolCall
		beside map[int]bound
	}{
		{"echo-sized", b.iterations, func(s *mcpServer) toolCall { return s.echo }, map[int]bound{mcpSDK: atMostTimes(1.2), mcpReference: {}}},
		{"100 lines", b.iterations, func(s *mcpServer) toolCall { return s.lines }, map[int]bound{mcpSDK: atMostTimes(1.3), mcpReference: {}}},
		{"10,000 short lines, cut", b.iterations, func(s *mcpServer) toolCall { return s.short }, map[int]bound{mcpReference: atMostTimes(1)}},
		{"10,000 lines, stored", min(b.iterations, mostStored), func(s *mcpServer) toolCall { return s.whole }, map[int]bound{mcpReference: atMostTimes(1)}},
	} {
		took := mcpTurns(row.times, min(row.times, 15), servers, func(s *mcpServer) (time.Duration, error) {
			switch call := row.call(s); {
			case s.err != nil:
				return 0, s.err
			case call.tool == "":
				return 0, errNotHere
			default:
				return s.client.call(call)
			}
		})
		for _, peer := range slices.Sorted(maps.Keys(row.beside)) {
			r.mcpLines(row.name, wallMilliseconds, took, peer, row.beside[peer])
		}
	}
}

// mcpMemory adds lines about what is resident after all calls.
func mcpMemory(r *report, servers []*mcpServer) {
	of := make([]outcome, len(servers))
	for i, s := range servers {
		if of[i].err = s.err; s.err == nil {
			of[i].memory, of[i].err = residentMemory(s.client.command.Process.Pid)
		}
	}
	r.mcpLines("rss after that", memory, of, mcpSDK, atMost(40))
	r.mcpLines("rss after that", memory, of, mcpReference, bound{})
}
