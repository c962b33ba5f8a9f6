package workspace

import (
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/zap"
)

// watcher watches the folders of files that a ledger knows and git's HEAD, and
// looks at the journals now and then. It only makes news travel faster: what an
// operation needs to know it looks up itself.
type watcher struct {
	hub  *Hub
	fs   *fsnotify.Watcher
	done sync.WaitGroup

	mu   sync.Mutex
	dirs map[string]bool
}

func (h *Hub) startWatching() {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		h.log.Warn("files are not watched", zap.Error(err))
		return
	}
	w := &watcher{hub: h, fs: fs, dirs: map[string]bool{}}
	h.watch = w
	if h.gitHead != "" {
		w.add(filepath.Dir(h.gitHead))
	}
	h.mu.Lock()
	for _, s := range h.sessions {
		for _, name := range s.ledger.Names() {
			h.watchFile(name)
		}
	}
	h.mu.Unlock()
	w.done.Go(w.run)
}

func (w *watcher) stop() {
	w.fs.Close()
	w.done.Wait()
}

// watchFile watches the folder of a file.
func (h *Hub) watchFile(name string) {
	if h.watch != nil {
		h.watch.add(filepath.Dir(h.Path(name)))
	}
}

func (w *watcher) add(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dirs[dir] {
		return
	}
	if err := w.fs.Add(dir); err != nil {
		w.hub.log.Debug("a folder is not watched", zap.String("dir", dir), zap.Error(err))
		return
	}
	w.dirs[dir] = true
}

// calm is how long something of which was heard is left alone: programs write
// a file in pieces, and half a file is not worth aligning with.
const calm = 50 * time.Millisecond

// journalPause is how often the journals are looked at for what other
// processes wrote. They are not watched: every write of our own would wake the
// watcher, and cost small requests more than all else they do.
const journalPause = 500 * time.Millisecond

func (w *watcher) run() {
	heard := map[string]bool{}
	var calmed <-chan time.Time
	journals := time.NewTicker(journalPause)
	defer journals.Stop()
	for {
		select {
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if !w.follow(e) {
				continue
			}
			heard[e.Name] = true
			if calmed == nil {
				calmed = time.After(calm)
			}
		case <-journals.C:
			w.hub.newJournals()
			w.hub.newArtifacts()
			w.hub.configuration()
		case <-calmed:
			for path := range heard {
				w.look(path)
			}
			clear(heard)
			calmed = nil
		case err, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			w.hub.log.Warn("watching files", zap.Error(err))
			w.hub.recheck() // events may have been lost
		}
	}
}

// follow keeps the set of watched folders right, and reports whether the event
// is worth a look.
func (w *watcher) follow(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod || strings.HasSuffix(e.Name, ".acode-tmp") {
		return false
	}
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		w.mu.Lock()
		delete(w.dirs, e.Name) // a folder that comes back is watched anew
		w.mu.Unlock()
	}
	return true
}

// look tells the hub of a path of which something was heard.
func (w *watcher) look(path string) {
	switch {
	case path == w.hub.gitHead:
		w.hub.recheck()
	default:
		if rel, err := filepath.Rel(w.hub.root, path); err == nil {
			w.hub.fileEvent(filepath.ToSlash(rel))
		}
	}
}

// newJournals takes over what other processes wrote.
func (h *Hub) newJournals() {
	h.mu.Lock()
	defer h.unlock()
	h.loadNewSessions()
}

// fileEvent looks at a file of which something was heard.
func (h *Hub) fileEvent(name string) {
	h.mu.Lock()
	defer h.unlock()
	if h.open[name] == nil {
		h.settle(name)
	}
}

// recheck aligns every ledger with every file.
func (h *Hub) recheck() {
	h.mu.Lock()
	defer h.unlock()
	for _, s := range h.sessions {
		err := h.with(s, func() error {
			for _, name := range s.ledger.Names() {
				h.refreshName(s, name)
			}
			return nil
		})
		if err != nil {
			h.log.Error("aligning the ledger", zap.String("session", s.ID), zap.Error(err))
		}
	}
}
