package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// metric is what of a cost a line shows.
type metric struct {
	unit string
	of   func(cost) float64
}

var (
	cpuMilliseconds  = metric{"ms", func(c cost) float64 { return milliseconds(c.cpu) }}
	cpuMicroseconds  = metric{"µs", func(c cost) float64 { return 1000 * milliseconds(c.cpu) }}
	wallMilliseconds = metric{"ms", func(c cost) float64 { return milliseconds(c.wall) }}
	memory           = metric{"MB", func(c cost) float64 { return megabytes(c.memory) }}
)

// megabytesPerSecond and gigabytesPerSecond show the processor time of work on
// so many bytes as a speed.
func megabytesPerSecond(bytes int) metric {
	return metric{"MB/s", func(c cost) float64 { return float64(bytes) / 1e6 / max(c.cpu, 1).Seconds() }}
}

func gigabytesPerSecond(bytes int) metric {
	return metric{"GB/s", func(c cost) float64 { return float64(bytes) / 1e9 / max(c.cpu, 1).Seconds() }}
}

// bound is what a value is held against: at least or at most an amount, or a
// multiple of the value beside it. The zero bound is none.
type bound struct {
	least  bool
	amount float64
	times  bool
}

func atMost(amount float64) bound       { return bound{amount: amount} }
func atLeast(amount float64) bound      { return bound{amount: amount, least: true} }
func atMostTimes(amount float64) bound  { return bound{amount: amount, times: true} }
func atLeastTimes(amount float64) bound { return bound{amount: amount, times: true, least: true} }

// line is one line of a report.
type line struct {
	name   string
	unit   string  // of both values
	value  float64 // negative if there is none
	beside string  // the peer or the limit, or ""
	other  float64 // its value, negative if there is none
	bound  bound
}

func (l line) met() string {
	of := 1.0
	if l.bound.times {
		of = l.other
	}
	switch most := l.bound.amount * of; {
	case l.bound.amount == 0 || l.value < 0 || of < 0:
		return "–"
	case l.bound.least == (l.value >= most) || l.value == most:
		return "yes"
	}
	return "no"
}

func (l line) goal() string {
	if l.bound.amount == 0 {
		return "–"
	}
	sign, unit := "≤", l.unit
	if l.bound.least {
		sign = "≥"
	}
	if l.bound.times {
		unit = "×"
	}
	return fmt.Sprintf("%s %g %s", sign, l.bound.amount, unit)
}

func (l line) ratio() string {
	if l.value < 0 || l.other <= 0 || l.beside == "" {
		return "–"
	}
	return fmt.Sprintf("%.2f", l.value/l.other)
}

func (l line) besides() string {
	switch {
	case l.beside == "":
		return "–"
	case l.other < 0:
		return l.beside + ": not here"
	}
	return l.beside + " " + number(l.other)
}

// number writes a value in three digits or the digits before the point, and
// "–" for a negative one, which is none.
func number(v float64) string {
	switch {
	case v < 0:
		return "–"
	case v < 0.01:
		return fmt.Sprintf("%.4f", v)
	case v < 1:
		return fmt.Sprintf("%.3f", v)
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	case v < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// report is what a section comes to.
type report struct {
	title string
	lines []line
	notes []string
}

// add adds a line about the outcomes of ours and of what is beside it, which is
// nothing where that has no name.
func (r *report) add(name string, m metric, ours outcome, beside string, other outcome, goal bound) {
	l := line{name: name, unit: m.unit, value: -1, beside: beside, other: -1, bound: goal}
	if ours.err == nil {
		l.value = m.of(ours.cost)
	} else {
		r.note(name, ours.err)
	}
	if beside != "" && other.err == nil {
		l.other = m.of(other.cost)
	} else if beside != "" && !errors.Is(other.err, errNotHere) {
		r.note(name+", "+beside, other.err)
	}
	r.lines = append(r.lines, l)
}

// alone adds a line with nothing beside it.
func (r *report) alone(name string, m metric, ours outcome, goal bound) {
	r.add(name, m, ours, "", outcome{}, goal)
}

func (r *report) note(name string, err error) {
	if note := name + ": " + err.Error(); !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// absent adds a line of which there is no way to measure what it names.
func (r *report) absent(name, what string) {
	r.lines = append(r.lines, line{name: name, value: -1, beside: what, other: -1})
}

// missed returns the lines whose goal is not met, each as one sentence.
func (r *report) missed() []string {
	var out []string
	for _, l := range r.lines {
		if l.met() == "no" {
			was := number(l.value) + " " + l.unit
			if l.bound.times {
				was = l.ratio() + " × " + l.beside
			}
			out = append(out, fmt.Sprintf("%s: %s is %s, goal %s", r.title, l.name, was, l.goal()))
		}
	}
	return out
}

func (r *report) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join([]string{r.title, "", "beside", "ratio", "goal", "ok?"}, "\t"))
	for _, l := range r.lines {
		value := number(l.value)
		if l.value >= 0 {
			value += " " + l.unit
		}
		fmt.Fprintln(table, strings.Join([]string{l.name, value, l.besides(), l.ratio(), l.goal(), l.met()}, "\t"))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("printing %s: %v", r.title, err)
	}
	for _, note := range r.notes {
		fmt.Fprintln(w, note)
	}
	return nil
}
