package main

import (
	"net"
	"net/url"
	"os"
	"sync"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/metrics"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// exports send what the sessions of a server count to where their workspaces
// want it, which is nowhere unless that is set.
type exports struct {
	log *zap.Logger

	mu     sync.Mutex
	byRoot map[string]*metrics.Exporter // nil for none
}

func (e *exports) add(root, session string, c workspace.Counts) {
	e.mu.Lock()
	defer e.mu.Unlock()
	to, known := e.byRoot[root]
	if !known {
		if endpoint := e.endpoint(root); endpoint != "" {
			to = metrics.NewExporter(endpoint, e.log)
		}
		if e.byRoot == nil {
			e.byRoot = map[string]*metrics.Exporter{}
		}
		e.byRoot[root] = to
	}
	if to != nil {
		to.Add(session, c)
	}
}

// endpoint returns where what is counted in a workspace goes, "" for nowhere. A
// workspace may be from elsewhere, so it names collectors on this machine only;
// the person's environment may name any.
func (e *exports) endpoint(root string) string {
	set, err := config.Load(root)
	if err != nil || set.Logging.OTLPEndpoint == "" {
		return ""
	}
	u, err := url.Parse(set.Logging.OTLPEndpoint)
	if err == nil && isThisMachine(u.Hostname()) {
		return set.Logging.OTLPEndpoint
	}
	if asked := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); asked == set.Logging.OTLPEndpoint {
		return asked
	}
	e.log.Warn("metrics are not exported: the collector is another machine's; set OTEL_EXPORTER_OTLP_ENDPOINT to the same URL to allow that",
		zap.String("endpoint", set.Logging.OTLPEndpoint))
	return ""
}

func isThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// close sends the rest.
func (e *exports) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, to := range e.byRoot {
		if to == nil {
			continue
		}
		if err := to.Close(); err != nil {
			e.log.Warn("the last metrics were not exported", zap.Error(err))
		}
	}
}
