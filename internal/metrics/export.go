package metrics

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/workspace"
)

// This file sends metrics to a collector, as OTLP in JSON over HTTP. The SDK's
// own exporter would make the program a quarter larger, with gRPC in it.

// Exporter sends what sessions count to a collector. It begins when there is
// something to send.
type Exporter struct {
	endpoint string // URL of the collector
	log      *zap.Logger

	mu    sync.Mutex
	meter *Meter
}

// NewExporter returns an exporter to the OTLP/HTTP collector at a URL such as
// http://localhost:4318.
func NewExporter(endpoint string, log *zap.Logger) *Exporter {
	return &Exporter{endpoint: endpoint, log: log}
}

const (
	exportInterval = time.Minute
	exportTimeout  = 5 * time.Second // for one message
	lastTimeout    = 2 * time.Second // for the last, while the program ends
)

// Add takes what happened in a session. It does not wait for the collector.
func (e *Exporter) Add(session string, c workspace.Counts) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.meter == nil {
		meter, err := New(sdk.NewPeriodicReader(&poster{endpoint: e.endpoint, log: e.log}, sdk.WithInterval(exportInterval), sdk.WithTimeout(exportTimeout)))
		if err != nil {
			e.log.Warn("metrics are not exported", zap.Error(err))
			return
		}
		e.meter = meter
	}
	e.meter.Add(context.Background(), session, c)
}

// Close sends the rest.
func (e *Exporter) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.meter == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastTimeout)
	defer cancel()
	return e.meter.Shutdown(ctx)
}

// poster posts metrics. It is an exporter to the SDK.
type poster struct {
	endpoint string
	log      *zap.Logger
	failed   bool // the last time, which was logged
}

func (p *poster) Temporality(k sdk.InstrumentKind) metricdata.Temporality {
	return sdk.DefaultTemporalitySelector(k)
}

func (p *poster) Aggregation(k sdk.InstrumentKind) sdk.Aggregation {
	return sdk.DefaultAggregationSelector(k)
}

func (p *poster) ForceFlush(context.Context) error { return nil }

func (p *poster) Shutdown(context.Context) error { return nil }

// Export posts metrics. A failure is logged when it begins and not returned:
// the sums go with the next message.
func (p *poster) Export(ctx context.Context, m *metricdata.ResourceMetrics) error {
	err := p.post(ctx, m)
	if err != nil && !p.failed {
		p.log.Warn("metrics are not exported", zap.String("endpoint", p.endpoint), zap.Error(err))
	}
	p.failed = err != nil
	return nil
}

func (p *poster) post(ctx context.Context, m *metricdata.ResourceMetrics) error {
	body, err := json.Marshal(encode(m))
	if err != nil {
		return fmt.Errorf("encoding metrics: %w", err)
	}
	url := strings.TrimSuffix(p.endpoint, "/")
	if !strings.HasSuffix(url, "/v1/metrics") {
		url += "/v1/metrics"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, 200)) // what more it says does not matter
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answered %s: %s", answer.Status, bytes.TrimSpace(said))
	}
	return nil
}

type object = map[string]any

// encode returns metrics in the JSON mapping of OTLP, in which 64-bit integers
// are strings.
func encode(m *metricdata.ResourceMetrics) object {
	var scopes []object
	for _, s := range m.ScopeMetrics {
		var list []object
		for _, metric := range s.Metrics {
			o := object{"name": metric.Name, "description": metric.Description, "unit": metric.Unit}
			switch data := metric.Data.(type) {
			case metricdata.Sum[int64]:
				o["sum"] = sum(data, func(v int64) (string, any) { return "asInt", strconv.FormatInt(v, 10) })
			case metricdata.Sum[float64]:
				o["sum"] = sum(data, func(v float64) (string, any) { return "asDouble", v })
			case metricdata.Histogram[float64]:
				o["histogram"] = histogram(data)
			}
			list = append(list, o)
		}
		scopes = append(scopes, object{"scope": object{"name": s.Scope.Name, "version": s.Scope.Version}, "metrics": list})
	}
	return object{"resourceMetrics": []object{{
		"resource":     object{"attributes": append(attributes(*m.Resource.Set()), stringAttribute("service.name", "acode-ls"))},
		"scopeMetrics": scopes,
	}}}
}

func sum[N int64 | float64](data metricdata.Sum[N], value func(N) (string, any)) object {
	points := make([]object, len(data.DataPoints))
	for i, p := range data.DataPoints {
		name, v := value(p.Value)
		points[i] = object{"attributes": attributes(p.Attributes), "startTimeUnixNano": nanos(p.StartTime), "timeUnixNano": nanos(p.Time), name: v}
	}
	return object{"dataPoints": points, "isMonotonic": data.IsMonotonic, "aggregationTemporality": temporality(data.Temporality)}
}

func histogram(data metricdata.Histogram[float64]) object {
	points := make([]object, len(data.DataPoints))
	for i, p := range data.DataPoints {
		counts := make([]string, len(p.BucketCounts))
		for j, n := range p.BucketCounts {
			counts[j] = strconv.FormatUint(n, 10)
		}
		points[i] = object{
			"attributes": attributes(p.Attributes), "startTimeUnixNano": nanos(p.StartTime), "timeUnixNano": nanos(p.Time),
			"count": strconv.FormatUint(p.Count, 10), "sum": p.Sum, "explicitBounds": p.Bounds, "bucketCounts": counts,
		}
	}
	return object{"dataPoints": points, "aggregationTemporality": temporality(data.Temporality)}
}

// temporality returns the number that OTLP gives to a temporality.
func temporality(t metricdata.Temporality) int {
	if t == metricdata.DeltaTemporality {
		return 1
	}
	return 2
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func attributes(set attribute.Set) []object {
	out := []object{}
	for _, kv := range set.ToSlice() {
		if key := string(kv.Key); key != "service.name" {
			out = append(out, stringAttribute(key, kv.Value.String()))
		}
	}
	return out
}

func stringAttribute(key, value string) object {
	return object{"key": key, "value": object{"stringValue": value}}
}
