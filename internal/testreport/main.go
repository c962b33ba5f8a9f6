// Command testreport reads the events of "go test -json" on stdin and prints
// what plain "go test" would have: the output of failed tests and a line for
// each package. At the end it adds what plain "go test" hides, the tests that
// were skipped and their reasons. It fails if a test failed and, when the
// environment variable CI is set, if one was skipped.
//
// It keeps no history, measures nothing and draws nothing.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	if err := report(os.Stdin, os.Stdout, os.Getenv("CI") != ""); err != nil {
		log.Fatal(err)
	}
}

// event is one line of "go test -json"; see "go doc test2json" and, for the
// events of a build, "go help buildjson".
type event struct {
	Action  string
	Package string
	Test    string // "" for an event of the package itself
	Output  string
}

type counts struct {
	passed, failed, failedPackages int
	skipped                        []string // "package test: reason"
}

// report copies what a reader of the test run needs from events to w, and
// returns an error if the run failed, or if strict and a test was skipped.
func report(events io.Reader, w io.Writer, strict bool) error {
	var total counts
	output := map[string]map[string][]string{} // package, test, lines not yet printed
	lines := bufio.NewReader(events)
	for {
		line, readErr := lines.ReadString('\n')
		if line != "" {
			var e event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				fmt.Fprint(w, line) // the go command's own words
			} else {
				total.add(e, output, w)
			}
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			return fmt.Errorf("reading test events: %v", readErr)
		}
	}
	return total.close(w, strict)
}

// add accounts for e and prints what is due with it.
func (c *counts) add(e event, output map[string]map[string][]string, w io.Writer) {
	tests := output[e.Package]
	if tests == nil {
		tests = map[string][]string{}
		output[e.Package] = tests
	}
	switch e.Action {
	case "build-output":
		fmt.Fprint(w, e.Output)
	case "output":
		switch {
		case e.Test != "":
			tests[e.Test] = append(tests[e.Test], e.Output)
		case e.Output != "PASS\n":
			fmt.Fprint(w, e.Output)
		}
	case "pass":
		if e.Test != "" {
			c.passed++
			delete(tests, e.Test)
		}
	case "skip":
		if e.Test != "" { // else a package without tests
			c.skipped = append(c.skipped, e.Package+" "+e.Test+": "+reason(tests[e.Test]))
			delete(tests, e.Test)
		}
	case "fail":
		if e.Test != "" {
			c.failed++
			printTest(w, tests[e.Test])
			delete(tests, e.Test)
			return
		}
		c.failedPackages++
		// A panic or a timeout leaves tests without an end of their own.
		for _, lines := range tests {
			printTest(w, lines)
		}
		delete(output, e.Package)
	}
}

// close prints the closing lines.
func (c *counts) close(w io.Writer, strict bool) error {
	fmt.Fprintf(w, "tests: %d passed, %d failed, %d skipped\n", c.passed, c.failed, len(c.skipped))
	for _, s := range c.skipped {
		fmt.Fprintf(w, "skipped: %s\n", s)
	}
	switch {
	case c.failed+c.failedPackages > 0:
		return fmt.Errorf("failed: %d tests in %d packages", c.failed, c.failedPackages)
	case strict && len(c.skipped) > 0:
		return fmt.Errorf("failed: CI is set and nothing may be skipped, but %d tests were", len(c.skipped))
	}
	return nil
}

func printTest(w io.Writer, lines []string) {
	for _, line := range lines {
		if !isFrame(line) {
			fmt.Fprint(w, line)
		}
	}
}

// reason joins what a skipped test said, without the framing around it.
func reason(lines []string) string {
	var said []string
	for _, line := range lines {
		if !isFrame(line) && !strings.HasPrefix(strings.TrimSpace(line), "--- SKIP") {
			said = append(said, strings.TrimSpace(line))
		}
	}
	if len(said) == 0 {
		return "no reason given"
	}
	return strings.Join(said, " ")
}

// isFrame reports whether line is one of those "go test -v" alone prints.
func isFrame(line string) bool {
	return strings.HasPrefix(line, "=== ")
}
