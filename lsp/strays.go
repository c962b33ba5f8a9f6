package lsp

import (
	"fmt"

	"go.uber.org/zap"

	"github.com/acode-ls/acode-ls/internal/text"
	"github.com/acode-ls/acode-ls/internal/workspace"
)

// This file keeps the open documents that lie in no workspace folder. Nothing
// is done about them, but a folder they lie in may be added: then their
// buffers, not the disk, are what is true.

// stray is an open document outside all folders.
type stray struct {
	uri     string
	version int32
	text    text.Lines
}

// follow takes over reported changes, all or none.
func (d *stray) follow(version int32, changes []workspace.Splice) error {
	if version <= d.version {
		return fmt.Errorf("%w: %d after %d", workspace.ErrVersion, version, d.version)
	}
	l := d.text
	for _, c := range changes {
		if c.Edit == nil {
			l = text.Split(c.Full)
			continue
		}
		e, err := c.Edit(l)
		if err != nil {
			return err
		}
		if e.End < e.Start {
			return fmt.Errorf("a change that runs backwards")
		}
		l = text.Split(l.Text()[:e.Start] + e.New + l.Text()[e.End:])
	}
	d.version, d.text = version, l
	return nil
}

// followStray follows a change of a document outside all folders, if it is one
// that may come in.
func (s *Server) followStray(path string, version int32, changes []workspace.Splice) error {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	if d := s.docs.strays[path]; d != nil {
		return d.follow(version, changes)
	}
	return nil
}

func (d *documents) stray(path string, s *stray) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.strays == nil {
		d.strays = make(map[string]*stray)
	}
	d.strays[path] = s
}

func (d *documents) forgetStray(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.strays, path)
}

// takeStrays returns the strays, which are none any more.
func (d *documents) takeStrays() map[string]*stray {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := d.strays
	d.strays = nil
	return out
}

// evict makes strays of the open documents of a folder that keep is false of.
func (s *Server) evict(h *workspace.Hub, keep func(path string) bool) {
	for _, doc := range s.docs.all() {
		path := doc.hub.Path(doc.name)
		if doc.hub != h || keep(path) {
			continue
		}
		d, err := h.TextOf(path)
		if err == nil {
			err = h.DidClose(path)
		}
		if err != nil {
			s.log.Warn("a document leaves its folder", zap.String("file", doc.name), zap.Error(err))
			continue
		}
		uri, _ := s.docs.uri(doc)
		s.docs.close(doc)
		s.docs.stray(path, &stray{uri, d.Version, d.Text})
		s.clear(doc, uri)
	}
}

// adopt gives strays to the folders they lie in by now.
func (s *Server) adopt() {
	for path, d := range s.docs.takeStrays() {
		doc, _, err := s.locate(d.uri)
		if err != nil {
			s.docs.stray(path, d)
			continue
		}
		s.docs.open(doc, d.uri)
		if err := doc.hub.DidOpen(path, d.version, d.text.Text()); err != nil {
			s.log.Warn("a document comes into a folder", zap.String("file", doc.name), zap.Error(err))
		}
		s.news.document(doc)
	}
}
