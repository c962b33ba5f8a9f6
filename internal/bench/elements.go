package main

import (
	"fmt"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/truncation"
)

// elements measures the strategy element alone, beside the least that can find
// the elements, and as a process beside jq.
func (b *bench) elements() (*report, error) {
	r := &report{title: "Elements of JSON and XML"}
	for _, n := range []struct {
		name string
		size int
		jq   bound
	}{{"10 MB", 10_000_000, atLeastTimes(20)}, {"100 MB", 100_000_000, bound{}}} {
		s := jsonText(b.size(n.size))
		outcomes := turns(b.rounds, b.element(s), b.always(func() { keep(scanJSON(s)) }))
		r.add("JSON, "+n.name, cpuMilliseconds, outcomes[0], "scan", outcomes[1], atMostTimes(2))
		if err := b.besideJQ(r, n.name, s, outcomes[0], n.jq); err != nil {
			return nil, err
		}
	}
	s := xmlText(b.size(10_000_000))
	outcomes := turns(b.rounds, b.element(s),
		b.always(func() { keep(scanXML(s)) }),
		b.calls(func() error { return xmlTokens(s) }))
	r.add("XML, 10 MB", cpuMilliseconds, outcomes[0], "scan", outcomes[1], atMostTimes(2))
	speed := megabytesPerSecond(len(s))
	r.add("XML, 10 MB, speed", speed, outcomes[0], "encoding/xml", outcomes[2], atLeastTimes(10))
	return r, nil
}

// element is what Element does to s. It fails if Element leaves s to another
// strategy.
func (b *bench) element(s string) work {
	return b.calls(func() error {
		result, err := truncation.Truncate(text.Split(s), truncation.Element, truncation.Options{})
		if err == nil && result.FallbackFrom != "" {
			err = fmt.Errorf("element leaves it to %s", result.Strategy)
		}
		return err
	})
}

// besideJQ holds the strategy, and the whole process, which also masks secrets
// and counts, against jq.
func (b *bench) besideJQ(r *report, size, s string, alone outcome, goal bound) error {
	path, err := b.file("list.json", s, len(s))
	if err != nil {
		return err
	}
	h, err := b.openHub(raised)
	if err != nil {
		return err
	}
	defer h.Close()
	ours := b.truncate("element", path)
	if _, err := process(h, commandTool, "element", s); err != nil {
		ours = func() (cost, error) { return cost{}, err }
	}
	outcomes := turns(min(b.rounds, 3), ours, b.process("jq", "-c", ".[0:5] + .[-5:]", path))
	speed := megabytesPerSecond(len(s))
	r.add("JSON, "+size+", speed", speed, alone, "jq", outcomes[1], goal)
	r.add("JSON, "+size+", process, speed", speed, outcomes[0], "jq", outcomes[1], bound{})
	r.add("JSON, "+size+", process, memory", memory, outcomes[0], "jq", outcomes[1], bound{})
	return nil
}
