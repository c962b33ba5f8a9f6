package main

import (
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
		if set, err := config.Load(root); err == nil && set.Logging.OTLPEndpoint != "" {
			to = metrics.NewExporter(set.Logging.OTLPEndpoint, e.log)
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
