package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/acode-ls/acode-ls/internal/envelope"
	"github.com/acode-ls/acode-ls/internal/metrics"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "What the guard and the tools did: rates, artifacts, redactions, times",
		Long: `stats sums up what was counted in the sessions of this workspace, or with
--session in one: how often the guard refused edits, how often the lines it
handed out were enough, and what was cut, stored and masked.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.stats(cmd.Context()) },
	}
}

type statsData struct {
	Guard      guardStats           `json:"guard"`
	Gates      []gate               `json:"gates"`
	Tools      map[string]toolStats `json:"tools"`
	Artifacts  artifactStats        `json:"artifacts"`
	Redactions map[string]int       `json:"redactions"`
}

type guardStats struct {
	Checked      int            `json:"checked"`
	Blocked      int            `json:"blocked"`
	TriggerRate  float64        `json:"trigger_rate"`
	Expanded     int            `json:"expanded"`
	Resolved     int            `json:"resolved"`
	ResolvedRate float64        `json:"resolved_rate"`
	ByReason     map[string]int `json:"by_reason"`
	Latency      *latencyStats  `json:"latency_ms,omitempty"`
}

// gate is a rate with the limit over which it calls for a decision.
type gate struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Limit   float64 `json:"limit"`
	Flagged bool    `json:"flagged"` // the value is over the limit
}

type toolStats struct {
	Calls          int           `json:"calls"`
	Truncated      int           `json:"truncated"`
	TruncationRate float64       `json:"truncation_rate"`
	MeanReduction  float64       `json:"mean_reduction"`
	Artifacts      int           `json:"artifacts"`
	Latency        *latencyStats `json:"latency_ms,omitempty"`
}

// latencyStats are upper bounds in milliseconds; null above the largest.
type latencyStats struct {
	P50 *float64 `json:"p50"`
	P99 *float64 `json:"p99"`
}

type artifactStats struct {
	Created    int            `json:"created"`
	Retrieved  int            `json:"retrieved"` // that were fetched at least once
	Retrievals map[string]int `json:"retrievals"`
}

func (a *app) stats(ctx context.Context) error {
	h, err := a.open()
	if err != nil {
		return err
	}
	defer h.Close()
	counts, err := h.Counts(a.named)
	if err != nil {
		return err
	}
	summary, err := sumUp(ctx, counts)
	if err != nil {
		return err
	}
	data := newStatsData(summary)
	if a.json {
		return a.answer(envelope.Answer{Data: data})
	}
	return a.write(data.text(colours(a.out)))
}

func sumUp(ctx context.Context, counts map[string]workspace.Counts) (metrics.Summary, error) {
	reader := sdk.NewManualReader()
	meter, err := metrics.New(reader)
	if err != nil {
		return metrics.Summary{}, err
	}
	for session, c := range counts {
		meter.Add(ctx, session, c)
	}
	return metrics.Collect(ctx, reader)
}

// Rates over which a person decides (GATE-1, GATE-3).
const (
	triggerLimit  = 0.15
	resolvedLimit = 0.80
)

func newStatsData(s metrics.Summary) statsData {
	g := s.Guard
	data := statsData{
		Guard: guardStats{
			Checked: g.Checked, Blocked: g.Blocked, TriggerRate: g.TriggerRate(), Expanded: g.Expanded,
			Resolved: g.Resolved, ResolvedRate: g.ResolvedRate(), ByReason: g.Reasons, Latency: newLatency(g.Duration),
		},
		Gates: []gate{
			{"trigger_rate", g.TriggerRate(), triggerLimit, g.TriggerRate() > triggerLimit},
			{"resolved_rate", g.ResolvedRate(), resolvedLimit, g.ResolvedRate() > resolvedLimit},
		},
		Tools:      map[string]toolStats{},
		Artifacts:  artifactStats{Retrieved: len(s.Retrievals), Retrievals: s.Retrievals},
		Redactions: s.Redactions,
	}
	for name, t := range s.Tools {
		data.Tools[name] = toolStats{
			Calls: t.Calls, Truncated: t.Truncated, TruncationRate: t.TruncationRate(),
			MeanReduction: t.MeanReduction(), Artifacts: t.Artifacts, Latency: newLatency(t.Duration),
		}
		data.Artifacts.Created += t.Artifacts
	}
	return data
}

func newLatency(d metrics.Duration) *latencyStats {
	if d.Count() == 0 {
		return nil
	}
	var l latencyStats
	for _, q := range []struct {
		at float64
		to **float64
	}{{0.5, &l.P50}, {0.99, &l.P99}} {
		if ms, ok := d.Quantile(q.at); ok {
			*q.to = &ms
		}
	}
	return &l
}

// text is what a person is told.
func (d statsData) text(p paint) string {
	var b strings.Builder
	g := d.Guard
	fmt.Fprintf(&b, "%s\n", p.bold("Guard"))
	if g.Checked == 0 && g.Blocked == 0 {
		b.WriteString("  no edit was checked\n")
	} else {
		fmt.Fprintf(&b, "  %s checked, %d blocked: %s\n", amount(g.Checked, "edit"), g.Blocked, d.Gates[0].text(p))
		if g.Blocked > 0 {
			fmt.Fprintf(&b, "  %d of these answered with the missing lines; tried again, %d passed: %s of all blocked\n", g.Expanded, g.Resolved, d.Gates[1].text(p))
			for _, reason := range slices.Sorted(maps.Keys(g.ByReason)) {
				fmt.Fprintf(&b, "  %6d  %s\n", g.ByReason[reason], strings.ReplaceAll(reason, "_", " "))
			}
		}
		if g.Latency != nil {
			fmt.Fprintf(&b, "  a judgement takes %s\n", g.Latency.text())
		}
	}
	fmt.Fprintf(&b, "\n%s\n", p.bold("Output"))
	if len(d.Tools) == 0 {
		b.WriteString("  none\n")
	} else {
		rows := [][]string{{"TOOL", "CALLS", "CUT", "RATE", "REDUCED BY", "ARTIFACTS", "TIME"}}
		for _, name := range slices.Sorted(maps.Keys(d.Tools)) {
			t := d.Tools[name]
			row := []string{printable(name), fmt.Sprint(t.Calls), fmt.Sprint(t.Truncated), "-", "-", fmt.Sprint(t.Artifacts), "-"}
			if t.Calls > 0 {
				row[3] = percentOf(t.TruncationRate)
			}
			if t.Truncated > 0 {
				row[4] = percentOf(t.MeanReduction)
			}
			if t.Latency != nil {
				row[6] = t.Latency.text()
			}
			rows = append(rows, row)
		}
		b.WriteString(indent(table(p, rows)))
	}
	fmt.Fprintf(&b, "\n%s\n  %d made, %d fetched\n", p.bold("Artifacts"), d.Artifacts.Created, d.Artifacts.Retrieved)
	for _, id := range mostFetched(d.Artifacts.Retrievals) {
		fmt.Fprintf(&b, "  %6d  %s\n", d.Artifacts.Retrievals[id], id)
	}
	fmt.Fprintf(&b, "\n%s\n", p.bold("Secrets masked"))
	for _, kind := range slices.Sorted(maps.Keys(d.Redactions)) {
		fmt.Fprintf(&b, "  %6d  %s\n", d.Redactions[kind], printable(kind))
	}
	if len(d.Redactions) == 0 {
		b.WriteString("  none\n")
	}
	return b.String()
}

func (g gate) text(p paint) string {
	s := percentOf(g.Value)
	if g.Flagged {
		s = p.yellow(fmt.Sprintf("%s, more than %.0f %%", s, 100*g.Limit))
	}
	return s
}

func (l latencyStats) text() string {
	median, most := bound(l.P50), bound(l.P99)
	if median == most {
		return median
	}
	return median + " (median), 99 % " + most
}

func bound(ms *float64) string {
	if ms == nil {
		return fmt.Sprintf("over %g ms", workspace.LatencyBounds[len(workspace.LatencyBounds)-1])
	}
	return fmt.Sprintf("≤ %g ms", *ms)
}

func percentOf(fraction float64) string { return fmt.Sprintf("%.1f %%", 100*fraction) }

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n  ") + "\n"
}

// mostFetched returns the artifacts that were fetched most often.
func mostFetched(retrievals map[string]int) []string {
	const most = 5
	ids := slices.SortedFunc(maps.Keys(retrievals), func(a, b string) int {
		return cmp.Or(retrievals[b]-retrievals[a], strings.Compare(a, b))
	})
	return ids[:min(len(ids), most)]
}

func amount(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
