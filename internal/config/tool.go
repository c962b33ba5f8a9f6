package config

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
)

// Tool is what applies to the output of one tool.
type Tool struct {
	Enabled  bool
	Strategy string // head_tail, tail, head, element, smart or none

	InlineLimit       int   // characters
	ArtifactThreshold int   // characters
	MaxArtifactSize   int64 // bytes

	HeadRatio float64 // above 0 and below 1

	TailLines, HeadLines        int // lines
	MaxLineLength               int // characters
	FirstElements, LastElements int
	MaxDepth                    int
	PreserveJSON                bool

	SmartEnabled      bool // of tools without a strategy of their own; Strategy says so already
	PreserveFunctions bool
	PrioritizeErrors  bool

	IncludeOriginalSize          bool
	IncludeTokenEstimate         bool
	IncludeStrategy              bool
	IncludeRetrievalInstructions bool
}

// Tool returns what applies to the output of a tool, which need not be known.
func (c *Config) Tool(name string) Tool {
	t := &c.Tools.Truncation
	o, ok := t.Overrides[toolName(name)]
	if !ok {
		o = c.other
	}
	return Tool{
		Enabled:           o.Enabled,
		Strategy:          o.Strategy,
		InlineLimit:       o.InlineLimit,
		ArtifactThreshold: o.ArtifactThreshold,
		MaxArtifactSize:   o.MaxArtifactSize,
		HeadRatio:         o.HeadRatio,
		TailLines:         o.LineTruncation.TailLines,
		HeadLines:         o.LineTruncation.HeadLines,
		MaxLineLength:     o.LineTruncation.MaxLineLength,
		FirstElements:     o.ElementTruncation.FirstElements,
		LastElements:      o.ElementTruncation.LastElements,
		MaxDepth:          o.ElementTruncation.MaxDepth,
		PreserveJSON:      o.ElementTruncation.PreserveJSON,
		SmartEnabled:      t.SmartTruncation.Enabled,
		PreserveFunctions: o.SmartTruncation.PreserveFunctions,
		PrioritizeErrors:  o.SmartTruncation.PrioritizeErrors,

		IncludeOriginalSize:          t.Metadata.IncludeOriginalSize,
		IncludeTokenEstimate:         t.Metadata.IncludeTokenEstimate,
		IncludeStrategy:              t.Metadata.IncludeStrategy,
		IncludeRetrievalInstructions: t.Metadata.IncludeRetrievalInstructions,
	}
}

// toolName returns the name under which a tool has its settings.
func toolName(name string) string {
	if name == "run_command" {
		return "execute_command"
	}
	return name
}

// layer is what one source of settings says, by key.
type layer map[string]setting

type setting struct {
	value any
	at    place // of its key; zero for a default
}

// place is where something stands in the file.
type place struct {
	line, column int // 1-based, in characters
}

func (p place) compare(q place) int { return cmp.Or(p.line-q.line, p.column-q.column) }

// complete fills in what applies to each tool.
func (c *Config) complete() {
	tools := c.overridden()
	c.other = c.override("")
	c.Tools.Truncation.Overrides = make(map[string]Override, len(tools))
	for _, tool := range tools {
		c.Tools.Truncation.Overrides[tool] = c.override(tool)
	}
}

// overridden returns the tools that have settings of their own, sorted.
func (c *Config) overridden() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(shipped)), maps.Keys(c.tools))
	slices.Sort(names)
	return slices.Compact(names)
}

const globalPrefix = "tools.truncation."

// override returns what applies to a tool. What the user sets for all tools
// wins over what is built in for one.
func (c *Config) override(tool string) Override {
	o := c.builtIn(tool)
	if len(c.user) > 0 || len(c.tools[tool]) > 0 {
		leaves(reflect.ValueOf(&o).Elem(), "", func(key string, v reflect.Value) {
			if s, ok := c.set(tool, key); ok {
				v.Set(reflect.ValueOf(s.value))
			}
		})
	}
	o.Strategy = c.strategy(tool).value.(string)
	return o
}

// builtIn returns the global settings with what is shipped for a tool, and no
// strategy if none is.
func (c *Config) builtIn(tool string) Override {
	t := &c.Tools.Truncation
	o := Override{Enabled: true, Limits: t.Limits, SmartTruncation: t.SmartTruncation.SmartOptions}
	if set, ok := shipped[tool]; ok {
		set(&o)
	}
	return o
}

// set returns what the user sets for a tool, or else for all tools. The key is
// that in an override.
func (c *Config) set(tool, key string) (s setting, ok bool) {
	if s, ok = c.tools[tool][key]; !ok {
		s, ok = c.user[globalPrefix+key]
	}
	return s, ok
}

// strategy returns the strategy of a tool. Unlike other settings, a built-in
// one is not replaced by what the user sets for all tools: it suits a kind of
// output.
func (c *Config) strategy(tool string) setting {
	t := &c.Tools.Truncation
	own, isUser := c.tools[tool]["strategy"]
	shipped := c.builtIn(tool).Strategy
	switch {
	case isUser:
		return own
	case t.DefaultStrategy == "none":
	case shipped != "":
		return setting{value: shipped}
	case t.SmartTruncation.Enabled:
		return setting{"smart", c.user[globalPrefix+"smart_truncation.enabled"].at}
	}
	return setting{t.DefaultStrategy, c.user[globalPrefix+"default_strategy"].at}
}

// origin returns where the file sets what applies to a tool, zero if it does
// not. The key is that in an override.
func (c *Config) origin(tool, key string) place {
	if key == "strategy" {
		return c.strategy(tool).at
	}
	s, _ := c.set(tool, key)
	return s.at
}
