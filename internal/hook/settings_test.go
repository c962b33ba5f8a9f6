package hook

import (
	"slices"
	"testing"

	"github.com/acode-ls/acode-ls/internal/setup"
)

// TestSettings: the settings that init writes have an agent tell of exactly the
// tools that are understood here.
func TestSettings(t *testing.T) {
	for name, a := range map[string]agent{"claude": agents[claude], "gemini": agents[gemini]} {
		var writing, reading []string
		for _, tool := range a.tools {
			switch tool.does {
			case other:
			case reads:
				reading = append(reading, tool.name)
			default:
				writing = append(writing, tool.name)
			}
		}
		told := setup.Tools[name]
		for what, both := range map[string][2][]string{"writing": {writing, told.Writing}, "reading": {reading, told.Reading}} {
			understood, asked := both[0], slices.Clone(both[1])
			slices.Sort(understood)
			slices.Sort(asked)
			if !slices.Equal(understood, asked) {
				t.Errorf("%s: %s tools are %q, and settings name %q", name, what, understood, asked)
			}
		}
	}
}
