package mcp

import "time"

// WithClock sets what tells the time.
func (o *Options) WithClock(now func() time.Time) { o.now = now }
