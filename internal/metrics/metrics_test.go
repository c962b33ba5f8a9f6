package metrics_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/acode-ls/acode-ls/internal/metrics"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// counts are those of one session: 10 judgements, 4 outputs.
func counts() workspace.Counts {
	return workspace.Counts{
		Guard: workspace.GuardCounts{
			Checked: 10, Blocked: 4, Expanded: 3, Resolved: 2, Reasons: map[string]int{"never_read": 3, "binary": 1},
			Latency: workspace.Latency{0, 9, 0, 1},
		},
		Tools: map[string]workspace.ToolCounts{
			"make": {Calls: 4, Truncated: 2, Reduction: 1.5, Artifacts: 1, Latency: workspace.Latency{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
		},
		Retrieved:  map[string]int{"art_1_a": 2},
		Redactions: map[string]int{"PASSWORD": 3},
	}
}

// TestCollect sums up what several sessions counted (AC-113 to AC-116, GATE-1,
// GATE-3, C-154).
func TestCollect(t *testing.T) {
	reader := sdk.NewManualReader()
	m, err := metrics.New(reader)
	if err != nil {
		t.Fatal(err)
	}
	m.Add(t.Context(), "a", counts())
	m.Add(t.Context(), "b", counts())
	m.Add(t.Context(), "c", workspace.Counts{})
	s, err := metrics.Collect(t.Context(), reader)
	if err != nil {
		t.Fatal(err)
	}
	g := s.Guard
	if g.Checked != 20 || g.Blocked != 8 || g.Expanded != 6 || g.Resolved != 4 || g.TriggerRate() != 0.4 || g.ResolvedRate() != 0.5 {
		t.Errorf("guard %+v", g)
	}
	if diff := cmp.Diff(map[string]int{"never_read": 6, "binary": 2}, g.Reasons); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	for _, q := range []struct{ at, want float64 }{{0.5, 0.25}, {0.9, 0.25}, {0.99, 1}} {
		if got, ok := g.Duration.Quantile(q.at); !ok || got != q.want {
			t.Errorf("quantile %v of judgements is %v, %v, want %v", q.at, got, ok, q.want)
		}
	}
	tool := s.Tools["make"]
	if tool == nil || tool.Calls != 8 || tool.Truncated != 4 || tool.Artifacts != 2 || tool.TruncationRate() != 0.5 || tool.MeanReduction() != 0.75 {
		t.Fatalf("tool %+v", tool)
	}
	if got, ok := tool.Duration.Quantile(1); ok || tool.Duration.Count() != 8 {
		t.Errorf("the longest of %d outputs took %v, which has no bound", tool.Duration.Count(), got)
	}
	if s.Retrievals["art_1_a"] != 4 || s.Redactions["PASSWORD"] != 6 {
		t.Errorf("retrievals %v, redactions %v", s.Retrievals, s.Redactions)
	}
}

// TestExport sends metrics to a collector.
func TestExport(t *testing.T) {
	bodies := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- r.Method + " " + r.URL.Path + " " + r.Header.Get("Content-Type") + " " + string(body)
	}))
	defer collector.Close()
	e := metrics.NewExporter(collector.URL+"/", zap.NewNop())
	e.Add("a", counts())
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(<-bodies, "{")
	if head != "POST /v1/metrics application/json " {
		t.Errorf("posted %q", head)
	}
	type point struct {
		Attributes []struct {
			Key   string
			Value struct{ StringValue string }
		}
		AsInt, TimeUnixNano, Count string
		AsDouble                   float64
		BucketCounts               []string
	}
	type series struct {
		DataPoints             []point
		AggregationTemporality int
		IsMonotonic            bool
	}
	var got struct {
		ResourceMetrics []struct {
			Resource     struct{ Attributes []any }
			ScopeMetrics []struct {
				Metrics []struct {
					Name, Unit     string
					Sum, Histogram *series
				}
			}
		}
	}
	if err := json.Unmarshal([]byte("{"+body), &got); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range got.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		switch {
		case m.Sum != nil && m.Sum.IsMonotonic && m.Sum.AggregationTemporality == 2:
			found[m.Name] = m.Sum.DataPoints[0].AsInt
		case m.Histogram != nil:
			found[m.Name] = m.Histogram.DataPoints[0].Count
		}
	}
	want := map[string]string{"acode.guard.checked": "10", "acode.tool.calls": "4", "acode.tool.duration": "4", "acode.redactions": "3", "acode.artifact.retrievals": "2"}
	for name, n := range want {
		if found[name] != n {
			t.Errorf("%s is %q, want %s of %v", name, found[name], n, found)
		}
	}
}

// TestNoCollector: a collector that is not there, or refuses, is told of once
// and holds nothing up.
func TestNoCollector(t *testing.T) {
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no room", http.StatusServiceUnavailable)
	}))
	defer refusing.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for url, want := range map[string]string{refusing.URL: "503 Service Unavailable: no room", gone.URL: "refused"} {
		core, logs := observer.New(zap.WarnLevel)
		e := metrics.NewExporter(url, zap.New(core))
		e.Add("a", counts())
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		all := logs.All()
		if len(all) != 1 || !strings.Contains(all[0].ContextMap()["error"].(string), want) {
			t.Errorf("logged %v, want %q", all, want)
		}
	}
}

// TestLatency: times keep their buckets through a journal.
func TestLatency(t *testing.T) {
	for _, l := range []workspace.Latency{{}, {1}, {0, 0, 3}, {14: 1}} {
		b, err := json.Marshal(l)
		var back workspace.Latency
		if err == nil {
			err = json.Unmarshal(b, &back)
		}
		if err != nil || back != l {
			t.Errorf("%v became %s, then %v (%v)", l, b, back, err)
		}
	}
	var l workspace.Latency
	if err := json.Unmarshal([]byte(`[1,0,0,0,0,0,0,0,0,0,0,0,0,0,2,3,4]`), &l); err != nil || l[14] != 9 {
		t.Errorf("counts by more bounds became %v (%v)", l, err)
	}
	if !slices.IsSorted(workspace.LatencyBounds[:]) {
		t.Error("the bounds are not sorted")
	}
}

// TestExportWaitsForNobody: counting does not wait for a collector that does
// not answer.
func TestExportWaitsForNobody(t *testing.T) {
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hanging.Close()
	defer close(release)
	core, logs := observer.New(zap.WarnLevel)
	e := metrics.NewExporter(hanging.URL, zap.New(core))
	e.Add("a", counts())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- e.Close() }()
	select {
	case <-closed: // with the export given up
	case <-ctx.Done():
		t.Fatal("the program does not end")
	}
	if logs.Len() == 0 {
		t.Error("not a word about it")
	}
}
