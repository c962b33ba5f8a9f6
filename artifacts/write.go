package artifacts

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/acode-ls/acode-ls/internal/text"
)

const (
	compressFrom = 1 << 20   // bytes of content beyond which it is compressed
	memberSize   = 256 << 10 // bytes of content that are compressed on their own
	bufferSize   = 32 << 10
)

// Meta is what is known of an artifact before its content.
type Meta struct {
	Tool   string
	Source string // at most 4096 characters are kept
	Origin string // what the caller wants to find again; it is not looked at
	Max    int64  // bytes of content from which it is refused; 0: no limit
}

// Writer takes the content of one artifact. It ends with Commit or Abort. Only
// one goroutine may use it.
type Writer struct {
	store *Store
	meta  Meta
	side  sidecar
	temp  temporary
	err   error // of the first failure, after which nothing is left
	done  bool

	buffer  *bufio.Writer // before add
	hash    hash.Hash
	counter text.Counter
	disk    diskWriter
	held    []byte       // content until it is worth compressing
	zip     *gzip.Writer // nil: not compressing
	member  int          // bytes of content in the current member
}

// Create begins an artifact. Its id is taken from now on. Errors are
// *RateError and *SpaceError besides those of the disk.
func (s *Store) Create(session string, meta Meta) (*Writer, error) {
	w, err := s.create(session, meta)
	if err != nil {
		return nil, fmt.Errorf("creating an artifact: %w", err)
	}
	return w, nil
}

func (s *Store) create(session string, meta Meta) (*Writer, error) {
	if err := checkSession(session); err != nil {
		return nil, err
	}
	now := s.opts.Now().UTC().Truncate(time.Millisecond)
	id, temp, err := s.reserve(session, now)
	if err != nil {
		return nil, err
	}
	w := &Writer{
		store: s, meta: meta, temp: temp, hash: sha256.New(),
		disk: diskWriter{file: temp.content, quota: s.opts.Quota},
		side: sidecar{
			Version: sidecarVersion, ID: id, Session: session, Owner: s.owner,
			Tool: clip(meta.Tool, maxField), Source: clip(meta.Source, maxSource), Origin: meta.Origin, Created: now,
		},
	}
	w.buffer = bufio.NewWriterSize(adder{w}, bufferSize)
	return w, nil
}

// ID returns the id that the artifact will have.
func (w *Writer) ID() string { return w.side.ID }

// Lines returns how many lines were written.
func (w *Writer) Lines() int {
	_ = w.buffer.Flush() // an error shows in Commit
	return w.counter.Lines()
}

// Counts returns how many code points and ends of lines were written.
func (w *Writer) Counts() (characters, lineEnds int) {
	_ = w.buffer.Flush() // an error shows in Commit
	return w.counter.Characters(), w.counter.LineEnds()
}

// Write adds content. Once it fails, the artifact is aborted.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.done {
		return 0, fs.ErrClosed
	}
	w.side.Size += int64(len(p))
	if w.meta.Max > 0 && w.side.Size >= w.meta.Max {
		return 0, w.fail(&TooLargeError{Max: w.meta.Max})
	}
	n, err := w.buffer.Write(p)
	if err != nil {
		return n, w.fail(err)
	}
	return n, nil
}

// fail aborts and remembers why.
func (w *Writer) fail(err error) error {
	w.err = fmt.Errorf("writing artifact %s: %w", w.side.ID, err)
	w.Abort()
	return w.err
}

// Abort leaves nothing of the artifact. After Commit it does nothing.
func (w *Writer) Abort() {
	if w.done {
		return
	}
	if d, err := w.store.open(false); err == nil {
		w.temp.removeFrom(d, w.side.ID)
		d.Close()
	}
	w.end()
}

func (w *Writer) end() {
	w.done = true
	w.temp.close()
	w.store.ended(w.side.Session)
}

// adder is what the buffer of a Writer writes to.
type adder struct{ *Writer }

func (w adder) Write(p []byte) (int, error) {
	// To hash takes as long as the rest, but what comes in small pieces comes
	// from somebody who is at work meanwhile.
	const large = 256 << 10
	if len(p) < large {
		w.hash.Write(p)
	} else {
		var both sync.WaitGroup
		both.Go(func() { w.hash.Write(p) })
		defer both.Wait()
	}
	_, _ = w.counter.Write(p)
	var err error
	switch {
	case !w.store.opts.Compress:
		_, err = w.disk.Write(p)
	case w.zip == nil && len(w.held)+len(p) <= compressFrom:
		w.held = append(w.held, p...)
	default:
		err = w.compress(p)
	}
	return len(p), err
}

// compress writes content in members of memberSize, so that what lies deep
// inside can be read without what lies before.
func (w *Writer) compress(p []byte) error {
	if w.zip == nil {
		w.side.Gzip = true
		w.zip, _ = gzip.NewWriterLevel(&w.disk, gzip.BestSpeed) // the level is valid
		held := w.held
		w.held = nil
		if err := w.compress(held); err != nil {
			return err
		}
	}
	for len(p) > 0 {
		if w.member == memberSize {
			if err := w.zip.Close(); err != nil {
				return err
			}
			w.zip.Reset(&w.disk)
			w.member = 0
		}
		n := min(len(p), memberSize-w.member)
		if _, err := w.zip.Write(p[:n]); err != nil {
			return err
		}
		w.member += n
		p = p[n:]
	}
	return nil
}

// diskWriter counts what it writes, and stops at the quota.
type diskWriter struct {
	file    *os.File
	quota   int64 // bytes; 0: none
	written int64
	flushed int64 // bytes the disk was told of
}

func (w *diskWriter) Write(p []byte) (int, error) {
	if w.quota > 0 && w.written+int64(len(p)) > w.quota {
		return 0, &SpaceError{Quota: w.quota}
	}
	n, err := w.file.Write(p)
	w.written += int64(n)
	// What is on its way to the disk early need not be waited for at the end.
	const part = 1 << 20
	if w.written-w.flushed >= part {
		startFlush(w.file, w.flushed, w.written-w.flushed)
		w.flushed = w.written
	}
	return n, named("content", err)
}

// Commit makes the artifact last and be found, and returns what had to give way
// to it. mime is the type of the content. When Commit fails, nothing is left of
// the artifact.
func (w *Writer) Commit(mime, summary string) (Info, []Info, error) {
	if w.err != nil {
		return Info{}, nil, w.err
	}
	if w.done {
		return Info{}, nil, fs.ErrClosed
	}
	evicted, err := w.commit(mime, summary)
	if err != nil {
		return Info{}, evicted, w.fail(err)
	}
	w.end()
	return w.store.info(w.side), evicted, nil
}

func (w *Writer) commit(mime, summary string) ([]Info, error) {
	if err := w.finish(); err != nil {
		return nil, err
	}
	w.side.Type, w.side.Summary = clip(mime, maxField), clip(summary, maxField)
	w.side.Characters, w.side.Lines = int64(w.counter.Characters()), w.counter.Lines()
	w.side.SHA256 = hex.EncodeToString(w.hash.Sum(nil))
	w.side.Stored = w.disk.written
	d, err := w.store.open(false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := w.sync(d); err != nil {
		return nil, err
	}
	var evicted []Info
	err = w.store.locked(false, func(d *folder) error {
		evicted, err = w.store.admit(d, w.side)
		if err == nil {
			err = w.publish(d)
		}
		return err
	})
	if err == nil {
		// Outside the lock, as it takes longer than all the rest.
		if err = named(w.store.opts.Folder, syncFolder(d.Root)); err != nil {
			w.retract()
		}
	}
	return evicted, err
}

// finish writes what is held back.
func (w *Writer) finish() error {
	if err := w.buffer.Flush(); err != nil {
		return err
	}
	if w.zip != nil {
		return w.zip.Close()
	}
	_, err := w.disk.Write(w.held)
	return err
}

// sync writes the sidecar and brings it to the disk with the content, both at
// once: that takes little longer than one alone.
func (w *Writer) sync(d *folder) error {
	var both sync.WaitGroup
	var errContent error
	both.Go(func() { errContent = named("content", w.temp.content.Sync()) })
	name := tempPrefix + w.side.ID + sideSuffix
	err := d.writeSidecar(w.temp.sidecar, name, w.side, w.store.opts.Key)
	if err == nil {
		err = named(name, w.temp.sidecar.Sync())
	}
	both.Wait()
	return errors.Join(err, errContent)
}

// writeSidecar writes a new file. Its time says that the artifact was never
// retrieved.
func (d *folder) writeSidecar(f *os.File, name string, side sidecar, key []byte) error {
	side, err := side.sign(key)
	if err != nil {
		return err
	}
	data, err := side.encode()
	if err != nil {
		return err
	}
	if !d.holds(name, f) {
		return &irregularError{name, "not the file that was made"}
	}
	if _, err = f.Write(data); err == nil {
		err = d.Chtimes(name, side.Created, side.Created)
	}
	return named(name, err)
}

// publish gives content and sidecar their names. The folder is locked.
func (w *Writer) publish(d *folder) error {
	temp, name := tempPrefix+w.side.ID, w.side.contentName()
	if !d.holds(temp, w.temp.content) || !d.holds(temp+sideSuffix, w.temp.sidecar) {
		return errors.New("its temporary files were removed")
	}
	if err := w.store.takeOwnership(d); err != nil {
		return err
	}
	if err := w.store.note(d, w.side.ID, &entry{w.side, true}); err != nil {
		return err
	}
	if err := d.Rename(temp, name); err != nil {
		return errors.Join(named(name, err), w.store.note(d, w.side.ID, nil))
	}
	if err := d.Rename(temp+sideSuffix, w.side.ID+sideSuffix); err != nil {
		return errors.Join(named(w.side.ID+sideSuffix, err), w.store.removeArtifact(d, w.side.ID, name))
	}
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.store.created[w.side.ID] = w.side
	return nil
}

// retract undoes publish.
func (w *Writer) retract() {
	_ = w.store.locked(false, func(d *folder) error {
		return w.store.removeArtifact(d, w.side.ID, w.side.contentName())
	})
}

func (s *Store) ended(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writing[session]--; s.writing[session] <= 0 {
		delete(s.writing, session)
	}
}
