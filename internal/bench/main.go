// Command bench measures acode-ls: what the output of a tool goes through, and
// the servers and hooks that editors and agents talk to. Beside each number it puts a peer or a limit measured in
// the same run, in turns: absolute times drift, ratios less so. At the end it
// lists the goals that were missed, but it never fails because of them.
//
// Times are of the processor, of all threads, unless they are said to be on the
// wall, as other work on the machine changes those less. A peer that is not
// installed is "not here"; nothing is installed or fetched.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

func main() {
	log.SetFlags(0)
	o := options{}
	flag.StringVar(&o.acode, "acode", "bin/acode-ls", "the acode-ls to measure")
	flag.StringVar(&o.gopls, "gopls", findGopls(), "the gopls to measure")
	flag.StringVar(&o.run, "run", "", "only the sections whose name matches `REGEX`: "+sectionNames())
	flag.IntVar(&o.rounds, "rounds", 7, "rounds of which a number is the median")
	flag.BoolVar(&o.quick, "quick", false, "tiny sizes, to see that all of it runs")
	flag.BoolVar(&o.huge, "huge", false, "also put 10 GB through the pipeline")
	flag.IntVar(&o.iterations, "n", 1000, "requests per row and server, but no more than 200 to gopls and of hooks")
	flag.IntVar(&o.spawns, "spawns", 20, "starts per server")
	flag.Parse()
	if o.quick {
		o.rounds, o.iterations, o.spawns = 1, 10, 1
	}
	if err := run(o, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// options are what the flags say.
type options struct {
	acode, gopls       string // programs; one that is not there is left out
	run                string // a regular expression for the names of sections
	rounds             int    // at least 1
	quick, huge        bool
	iterations, spawns int    // of servers; at least 1
	tools              string // folder of what buildTools builds, "" to build it
}

// findGopls looks on PATH, then where make bench installs it.
func findGopls() string {
	if _, err := exec.LookPath("gopls"); err == nil {
		return "gopls"
	}
	return ".cache/bin/gopls"
}

// table is what a section comes to.
type table interface {
	print(io.Writer) error
	missed() []string // a sentence for each goal that is not met
}

// sections are the parts of a run, in order.
var sections = []struct {
	name    string
	measure func(*bench) (table, error)
}{
	{"limits", section((*bench).limits)},
	{"pipeline", section((*bench).pipeline)},
	{"redaction", section((*bench).redaction)},
	{"elements", section((*bench).elements)},
	{"artifacts", section((*bench).artifacts)},
	{"signatures", section((*bench).signatures)},
	{"peers", section((*bench).peers)},
	{"servers", section((*bench).languageServers)},
	{"mcp", section((*bench).mcp)},
	{"hooks", section((*bench).hooks)},
}

func section[T table](measure func(*bench) (T, error)) func(*bench) (table, error) {
	return func(b *bench) (table, error) { return measure(b) }
}

func sectionNames() string {
	names := ""
	for _, s := range sections {
		names += " " + s.name
	}
	return names[1:]
}

// bench is one run.
type bench struct {
	options
	folder string // temporary
	raised string // a workspace in it in which no text is too large, or an artifact

	keeping string // a workspace in it in which no text is too large
}

func newBench(o options) (*bench, error) {
	folder, err := os.MkdirTemp("", "acode-bench")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, folder: folder}
	if b.folder, err = filepath.EvalSymlinks(folder); err != nil {
		b.close()
		return nil, err
	}
	b.raised, b.keeping = filepath.Join(b.folder, "raised"), filepath.Join(b.folder, "keeping")
	if err := errors.Join(newWorkspace(b.raised, raised), newWorkspace(b.keeping, keeping)); err != nil {
		b.close()
		return nil, err
	}
	if b.tools == "" {
		b.tools = b.folder
		err = buildTools(b.tools)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() { os.RemoveAll(b.folder) }

// buildTools builds the programs below this one, which tool finds.
func buildTools(folder string) error {
	const here = "github.com/acode-ls/acode-ls/internal/bench/"
	build := exec.Command("go", "build", "-o", folder+string(filepath.Separator), here+"echo", here+"mcpecho", here+"meter", here+"reference")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building what acode-ls is held against: %v\n%s", err, out)
	}
	return nil
}

// tool returns the path of a program that buildTools has built.
func (b *bench) tool(name string) string { return filepath.Join(b.tools, name) }

// newFolder makes a fresh workspace.
func (b *bench) newFolder() (string, error) { return os.MkdirTemp(b.folder, "workspace") }

// size returns n bytes, or so few that they take no time.
func (b *bench) size(n int) int {
	if b.quick && n > 20_000 {
		return max(20_000, n/1000)
	}
	return n
}

func run(o options, w io.Writer) error {
	wanted, err := regexp.Compile(o.run)
	if err != nil {
		return fmt.Errorf("-run: %v", err)
	}
	b, err := newBench(o)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Fprintf(w, "medians of %d rounds; ratio: the value by that of what is beside it\n\n", b.rounds)
	var missed []string
	for _, s := range sections {
		if !wanted.MatchString(s.name) {
			continue
		}
		t, err := s.measure(b)
		if err != nil {
			return fmt.Errorf("measuring %s: %v", s.name, err)
		}
		if err := t.print(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
		missed = append(missed, t.missed()...)
	}
	if b.quick {
		fmt.Fprintln(w, "tiny sizes: the goals are not meant for these numbers")
	}
	fmt.Fprintf(w, "goals missed: %d\n", len(missed))
	for _, m := range missed {
		fmt.Fprintln(w, "  "+m)
	}
	return nil
}
