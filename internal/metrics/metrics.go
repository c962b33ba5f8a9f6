// Package metrics gives what sessions counted to OpenTelemetry: to be summed
// up for a person, and to be sent to a collector where one is set.
//
// It counts nothing itself. Names and units of the instruments are listed in
// docs/metrics.md.
package metrics

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// Instruments, with the attributes they have besides the session.
const (
	guardChecked  = "acode.guard.checked"
	guardBlocked  = "acode.guard.blocked"
	guardExpanded = "acode.guard.expanded"
	guardResolved = "acode.guard.resolved"
	guardReasons  = "acode.guard.block_reasons" // reason
	guardDuration = "acode.guard.duration"
	toolCalls     = "acode.tool.calls"     // tool
	toolTruncated = "acode.tool.truncated" // tool
	toolReduction = "acode.tool.reduction" // tool
	toolArtifacts = "acode.tool.artifacts" // tool
	toolDuration  = "acode.tool.duration"  // tool
	retrievals    = "acode.artifact.retrievals"
	redactions    = "acode.redactions" // type
)

// Meter takes counts. It may be used by several goroutines.
type Meter struct {
	provider  *sdk.MeterProvider
	counters  map[string]metric.Int64Counter
	reduction metric.Float64Counter
	durations map[string]metric.Float64Histogram
}

// New returns a meter that is read by the given readers.
func New(readers ...sdk.Reader) (*Meter, error) {
	// A session is an attribute, and there may be thousands. The environment is
	// not told to collectors.
	opts := []sdk.Option{sdk.WithCardinalityLimit(0), sdk.WithResource(resource.Empty())}
	for _, r := range readers {
		opts = append(opts, sdk.WithReader(r))
	}
	m := &Meter{provider: sdk.NewMeterProvider(opts...), counters: map[string]metric.Int64Counter{}, durations: map[string]metric.Float64Histogram{}}
	meter := m.provider.Meter("github.com/acode-ls/acode-ls")
	for _, c := range []struct{ name, unit, description string }{
		{guardChecked, "{edit}", "Edits of existing files that the guard judged, without retries."},
		{guardBlocked, "{edit}", "Edits that the guard refused."},
		{guardExpanded, "{edit}", "Refused edits whose missing lines were handed out."},
		{guardResolved, "{edit}", "Of these, edits that passed when they were tried again."},
		{guardReasons, "{block}", "Refusals by reason."},
		{toolCalls, "{call}", "Outputs of a tool."},
		{toolTruncated, "{call}", "Outputs that were cut or stored."},
		{toolArtifacts, "{artifact}", "Artifacts made of outputs."},
		{retrievals, "{retrieval}", "Parts of artifacts that were fetched."},
		{redactions, "{secret}", "Secrets that were masked."},
	} {
		counter, err := meter.Int64Counter(c.name, metric.WithUnit(c.unit), metric.WithDescription(c.description))
		if err != nil {
			return nil, fmt.Errorf("making the instrument %s: %w", c.name, err)
		}
		m.counters[c.name] = counter
	}
	var err error
	if m.reduction, err = meter.Float64Counter(toolReduction, metric.WithUnit("1"),
		metric.WithDescription("Fractions of truncated outputs that were left out, added up.")); err != nil {
		return nil, fmt.Errorf("making the instrument %s: %w", toolReduction, err)
	}
	for name, what := range map[string]string{guardDuration: "Judgements.", toolDuration: "Treatment of outputs, with reading them."} {
		if m.durations[name], err = meter.Float64Histogram(name, metric.WithUnit("ms"), metric.WithDescription(what),
			metric.WithExplicitBucketBoundaries(workspace.LatencyBounds[:]...)); err != nil {
			return nil, fmt.Errorf("making the instrument %s: %w", name, err)
		}
	}
	return m, nil
}

// Add takes what happened in a session. An empty name stands for none.
func (m *Meter) Add(ctx context.Context, session string, c workspace.Counts) {
	add := func(name string, n int, attributes ...attribute.KeyValue) {
		if n > 0 {
			m.counters[name].Add(ctx, int64(n), with(session, attributes...))
		}
	}
	g := c.Guard
	add(guardChecked, g.Checked)
	add(guardBlocked, g.Blocked)
	add(guardExpanded, g.Expanded)
	add(guardResolved, g.Resolved)
	for reason, n := range g.Reasons {
		add(guardReasons, n, attribute.String("reason", reason))
	}
	m.record(ctx, guardDuration, g.Latency, with(session))
	for name, t := range c.Tools {
		tool := attribute.String("tool", name)
		add(toolCalls, t.Calls, tool)
		add(toolTruncated, t.Truncated, tool)
		add(toolArtifacts, t.Artifacts, tool)
		if t.Truncated > 0 {
			m.reduction.Add(ctx, t.Reduction, with(session, tool))
		}
		m.record(ctx, toolDuration, t.Latency, with(session, tool))
	}
	for id, n := range c.Retrieved {
		add(retrievals, n, attribute.String("artifact", id))
	}
	for kind, n := range c.Redactions {
		add(redactions, n, attribute.String("type", kind))
	}
}

func with(session string, attributes ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributes(append(attributes, attribute.String("session", session))...)
}

// record takes durations of which the buckets are known: each counts as the
// longest in its bucket.
func (m *Meter) record(ctx context.Context, name string, l workspace.Latency, o metric.MeasurementOption) {
	for i, n := range l {
		bound := workspace.LatencyBounds[min(i, len(workspace.LatencyBounds)-1)]
		if i == len(workspace.LatencyBounds) {
			bound *= 2
		}
		for range n {
			m.durations[name].Record(ctx, bound, o)
		}
	}
}

// Shutdown sends what was not sent yet.
func (m *Meter) Shutdown(ctx context.Context) error { return m.provider.Shutdown(ctx) }

// Summary is what all sessions counted together.
type Summary struct {
	Guard      Guard
	Tools      map[string]*Tool
	Retrievals map[string]int // by artifact
	Redactions map[string]int // by type
}

// Guard sums up judgements of edits.
type Guard struct {
	Checked, Blocked, Expanded, Resolved int
	Reasons                              map[string]int
	Duration                             Duration
}

// TriggerRate is the fraction of checked edits that were blocked.
func (g Guard) TriggerRate() float64 { return fraction(float64(g.Blocked), g.Checked) }

// ResolvedRate is the fraction of blocked edits that passed once the missing
// lines were handed out.
func (g Guard) ResolvedRate() float64 { return fraction(float64(g.Resolved), g.Blocked) }

// Tool sums up the outputs of a tool.
type Tool struct {
	Calls, Truncated, Artifacts int
	Reduction                   float64 // added up over the truncated
	Duration                    Duration
}

// TruncationRate is the fraction of outputs that were cut or stored.
func (t Tool) TruncationRate() float64 { return fraction(float64(t.Truncated), t.Calls) }

// MeanReduction is the mean fraction that truncated outputs lost.
func (t Tool) MeanReduction() float64 { return fraction(t.Reduction, t.Truncated) }

func fraction(a float64, b int) float64 {
	if b == 0 {
		return 0
	}
	return a / float64(b)
}

// Duration is a distribution of durations, by the upper bounds of its buckets.
type Duration struct {
	bounds []float64 // ms
	counts []uint64
}

// Count returns how many durations there are.
func (d Duration) Count() int {
	n := uint64(0)
	for _, c := range d.counts {
		n += c
	}
	return int(n)
}

// Quantile returns a number of milliseconds that at least the fraction q of the
// durations do not exceed, and whether there is one: the longest have no bound.
func (d Duration) Quantile(q float64) (float64, bool) {
	want, n := q*float64(d.Count()), 0.0
	for i, c := range d.counts {
		if n += float64(c); n >= want && n > 0 {
			return d.bounds[min(i, len(d.bounds)-1)], i < len(d.bounds)
		}
	}
	return 0, false
}

func (d *Duration) add(bounds []float64, counts []uint64) {
	if d.counts == nil {
		d.bounds, d.counts = bounds, make([]uint64, len(counts))
	}
	for i, n := range counts {
		d.counts[i] += n
	}
}

// Collect returns the sums of what the meters of a reader took.
func Collect(ctx context.Context, reader *sdk.ManualReader) (Summary, error) {
	s := Summary{
		Guard: Guard{Reasons: map[string]int{}}, Tools: map[string]*Tool{},
		Retrievals: map[string]int{}, Redactions: map[string]int{},
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		return s, fmt.Errorf("collecting metrics: %w", err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					s.add(m.Name, p.Attributes, int(p.Value))
				}
			case metricdata.Sum[float64]:
				for _, p := range data.DataPoints {
					s.tool(p.Attributes).Reduction += p.Value
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					d := &s.Guard.Duration
					if m.Name == toolDuration {
						d = &s.tool(p.Attributes).Duration
					}
					d.add(p.Bounds, p.BucketCounts)
				}
			}
		}
	}
	return s, nil
}

func value(set attribute.Set, key attribute.Key) string {
	v, _ := set.Value(key)
	return v.AsString()
}

func (s *Summary) tool(set attribute.Set) *Tool {
	name := value(set, "tool")
	if s.Tools[name] == nil {
		s.Tools[name] = new(Tool)
	}
	return s.Tools[name]
}

func (s *Summary) add(name string, set attribute.Set, n int) {
	switch name {
	case guardChecked:
		s.Guard.Checked += n
	case guardBlocked:
		s.Guard.Blocked += n
	case guardExpanded:
		s.Guard.Expanded += n
	case guardResolved:
		s.Guard.Resolved += n
	case guardReasons:
		s.Guard.Reasons[value(set, "reason")] += n
	case toolCalls:
		s.tool(set).Calls += n
	case toolTruncated:
		s.tool(set).Truncated += n
	case toolArtifacts:
		s.tool(set).Artifacts += n
	case retrievals:
		s.Retrievals[value(set, "artifact")] += n
	case redactions:
		s.Redactions[value(set, "type")] += n
	}
}
