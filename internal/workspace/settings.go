package workspace

import (
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/config"
	"github.com/acode-ls/acode-ls/internal/redact"
	"github.com/acode-ls/acode-ls/truncation"
)

// readTool is the tool as which files are read.
const readTool = "read_file"

// settings are the configuration of the workspace and what is made of it.
type settings struct {
	source *config.Source // nil if the configuration is given

	mu         sync.Mutex       // guards all below
	read       *config.Config   // last; it holds unless its patterns are refused
	config     *config.Config   // that holds
	redactor   *redact.Redactor // nil if redaction is off
	refused    []config.Problem
	problems   []config.Problem // with all that was read
	onProblems func()
	guard      Guard
}

// Guard is how the guard answers, where that is set elsewhere than in the
// configuration. A nil field is not set.
type Guard struct {
	AutoExpand      *bool
	AutoExpandLines *int
	BlockStale      *bool
}

// configuration returns the settings that hold now, and what redacts; nil if
// nothing does.
func (h *Hub) configuration() (*config.Config, *redact.Redactor) {
	s := &h.settings
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.source == nil {
		return s.config, s.redactor
	}
	now, problems := s.source.Config()
	if now != s.read {
		s.read = now
		s.refused = s.use(now)
	}
	if problems = slices.Concat(problems, s.refused); !slices.Equal(problems, s.problems) {
		s.problems = problems
		for _, p := range problems {
			h.log.Warn("a setting is ignored", zap.String("problem", p.String()))
		}
		if s.onProblems != nil {
			s.onProblems()
		}
	}
	return s.config, s.redactor
}

// use takes over a configuration, unless its patterns cannot be used.
func (s *settings) use(c *config.Config) []config.Problem {
	var r *redact.Redactor
	if c.Tools.Redaction.Enabled {
		options := redact.Options{Strict: c.Tools.Redaction.Strict}
		for _, p := range c.Tools.Redaction.Patterns {
			options.Patterns = append(options.Patterns, redact.Pattern{Name: p.Name, Regex: p.Regex})
		}
		var err error
		if r, err = redact.New(options); err != nil {
			return []config.Problem{{File: config.File, Key: "tools.redaction.patterns", Message: err.Error()}}
		}
	}
	s.config, s.redactor = c, r
	return nil
}

// Configuration returns the settings that hold now and what is wrong with
// those that were to hold.
func (h *Hub) Configuration() (*config.Config, []config.Problem) {
	c, _ := h.configuration()
	h.settings.mu.Lock()
	defer h.settings.mu.Unlock()
	return c, h.settings.problems
}

// OnProblems sets what is called when other things are wrong with the settings
// than before. It must not call the hub.
func (h *Hub) OnProblems(f func()) {
	h.settings.mu.Lock()
	h.settings.onProblems = f
	h.settings.mu.Unlock()
	if _, problems := h.Configuration(); len(problems) > 0 {
		f()
	}
}

// SetGuard changes how the guard answers.
func (h *Hub) SetGuard(g Guard) {
	h.settings.mu.Lock()
	defer h.settings.mu.Unlock()
	h.settings.guard = g
}

// guard returns how the guard answers now.
func (h *Hub) guard() (autoExpand bool, lines int, blockStale bool) {
	c, _ := h.configuration()
	a := c.Tools.Awareness
	h.settings.mu.Lock()
	defer h.settings.mu.Unlock()
	g := h.settings.guard
	return or(g.AutoExpand, a.AutoExpand) && !h.opts.NoAutoExpand, or(g.AutoExpandLines, a.AutoExpandLines), or(g.BlockStale, a.StalePolicy == "block")
}

func or[T any](set *T, otherwise T) T {
	if set != nil {
		return *set
	}
	return otherwise
}

func (h *Hub) idleTTL() time.Duration {
	c, _ := h.configuration()
	return c.Sessions.IdleTTL
}

func limitsOf(t config.Tool) truncation.Limits {
	return truncation.Limits{
		Inline: t.InlineLimit, HeadRatio: t.HeadRatio,
		HeadLines: t.HeadLines, TailLines: t.TailLines, MaxLine: t.MaxLineLength,
		FirstElements: t.FirstElements, LastElements: t.LastElements, MaxDepth: t.MaxDepth,
	}
}

func boundsOf(t config.Tool) truncation.Bounds {
	return truncation.Bounds{Inline: t.InlineLimit, Artifact: t.ArtifactThreshold, Max: t.MaxArtifactSize}
}
