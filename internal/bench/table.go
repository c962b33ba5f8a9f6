package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// goal is the most that the subject may take: an amount, or a multiple of the
// floor. The zero goal is none.
type goal struct{ amount, ofFloor float64 }

// row is one line of the table. Values are in unit; a negative value says that
// there is none.
type row struct {
	name, unit string // "ms" or "MB"
	goal       goal
	values     [kinds]float64
}

// met says "yes", "no", or "–" where there is no goal or nothing to hold
// against it.
func (r row) met() string {
	most := r.goal.amount
	if r.goal.ofFloor > 0 && r.values[floor] > 0 {
		most = r.goal.ofFloor * r.values[floor]
	}
	switch {
	case most == 0 || r.values[subject] < 0:
		return "–"
	case r.values[subject] <= most:
		return "yes"
	}
	return "no"
}

func (r row) goalText() string {
	switch {
	case r.goal.amount > 0:
		return fmt.Sprintf("≤ %g %s", r.goal.amount, r.unit)
	case r.goal.ofFloor > 0:
		return fmt.Sprintf("≤ %g × floor", r.goal.ofFloor)
	}
	return "–"
}

func (r row) ratio() string {
	if r.values[subject] < 0 || r.values[floor] <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", r.values[subject]/r.values[floor])
}

func (r row) value(k kind) string {
	v := r.values[k]
	switch {
	case v < 0:
		return "–"
	case v < 1:
		return fmt.Sprintf("%.3f", v)
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// missed returns the rows whose goal is not met, each as one sentence.
func (b *serverBench) missed() []string {
	var out []string
	for _, r := range b.rows {
		if r.met() == "no" {
			out = append(out, fmt.Sprintf("Language servers: %s is %s %s, %s × floor, goal %s", r.name, r.value(subject), r.unit, r.ratio(), r.goalText()))
		}
	}
	return out
}

// print writes the table and what there is to say about it.
func (b *serverBench) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "Language servers, p50\tacode-ls\techo\tgopls\tratio\tgoal\tok?")
	for _, r := range b.rows {
		fmt.Fprintln(table, strings.Join([]string{
			r.name + ", " + r.unit, r.value(subject), r.value(floor), r.value(peer), r.ratio(), r.goalText(), r.met(),
		}, "\t"))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("printing the table: %v", err)
	}
	for _, note := range b.notes {
		fmt.Fprintln(w, note)
	}
	return nil
}
