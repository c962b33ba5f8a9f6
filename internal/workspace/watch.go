package workspace

import (
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/zap"
)

// watcher watches the folders of files that a ledger knows, the folder of the
// journals, and git's HEAD. It only makes news travel faster: what an
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
	if h.journals != "" {
		w.add(h.journals)
	}
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

// calm is how long a file of which something is heard is left alone: programs
// save by emptying a file first, and of an empty file nothing is known.
const calm = 50 * time.Millisecond

func (w *watcher) run() {
	files := map[string]bool{}
	var calmed <-chan time.Time
	for {
		select {
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if name := w.event(e); name != "" {
				files[name] = true
				if calmed == nil {
					calmed = time.After(calm)
				}
			}
		case <-calmed:
			for name := range files {
				w.hub.fileEvent(name)
			}
			clear(files)
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

// event returns the name of the file that an event is about, if it is one of
// the workspace.
func (w *watcher) event(e fsnotify.Event) string {
	if e.Op == fsnotify.Chmod {
		return ""
	}
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		w.mu.Lock()
		delete(w.dirs, e.Name) // a folder that comes back is watched anew
		w.mu.Unlock()
	}
	switch {
	case w.hub.journals != "" && filepath.Dir(e.Name) == w.hub.journals:
		if strings.HasSuffix(e.Name, ".jsonl") {
			w.hub.mu.Lock()
			w.hub.loadNewSessions()
			w.hub.unlock()
		}
	case e.Name == w.hub.gitHead:
		w.hub.recheck()
	case strings.HasSuffix(e.Name, ".acode-tmp"):
	default:
		if rel, err := filepath.Rel(w.hub.root, e.Name); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return ""
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
