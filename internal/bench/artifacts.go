package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/acode-ls/acode-ls/artifacts"
	"github.com/acode-ls/acode-ls/internal/config"
)

// artifacts measures the store: what it takes to make an artifact, beside
// writing, hashing and syncing the same bytes, and to get at a part of one.
func (b *bench) artifacts() (*report, error) {
	r := &report{title: "Artifacts"}
	folder, err := b.newFolder()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	store := artifacts.Open(root, artifacts.Options{Folder: "artifacts", Now: time.Now, Detached: true})
	for _, n := range []struct {
		name string
		size int
	}{{"100 KB", 100_000}, {"1 MB", 1_000_000}, {"10 MB", 10_000_000}} {
		text := []byte(mixed(b.size(n.size)))
		outcomes := turns(b.rounds,
			b.calls(func() error { _, err := create(store, text, "text/plain"); return err }),
			b.calls(func() error { return keepPlainly(folder, text) }))
		r.add("create "+n.name+", wall", wallMilliseconds, outcomes[0], "write, hash, sync", outcomes[1], atMostTimes(1.5))
		if _, err := store.Clean("bench"); err != nil {
			return nil, err
		}
	}
	if err := b.retrievals(r, store); err != nil {
		return nil, err
	}
	_, err = store.Close(false)
	return r, err
}

func create(store *artifacts.Store, text []byte, contentType string) (artifacts.Info, error) {
	w, err := store.Create("bench", artifacts.Meta{Tool: commandTool})
	if err != nil {
		return artifacts.Info{}, err
	}
	defer w.Abort()
	if _, err := w.Write(text); err != nil {
		return artifacts.Info{}, err
	}
	info, _, err := w.Commit(contentType, "")
	return info, err
}

// keepPlainly writes and hashes text, and waits until it is on the disk.
func keepPlainly(folder string, text []byte) error {
	f, err := os.CreateTemp(folder, "plain")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	sum := sha256.New()
	_, err = io.MultiWriter(f, sum).Write(text)
	keep(len(hex.EncodeToString(sum.Sum(nil))))
	return errors.Join(err, f.Sync(), f.Close())
}

// retrievals gets at parts of an artifact of 50 MB, which was looked at before.
func (b *bench) retrievals(r *report, store *artifacts.Store) error {
	info, err := create(store, []byte(repeated(b.size(50_000_000), "a line of an output that is long, number %010d\n")), "text/plain")
	if err != nil {
		return err
	}
	lines := func(first, last int) error {
		a, err := store.Get("bench", info.ID)
		if err != nil {
			return err
		}
		defer a.Close()
		span, err := a.Lines(min(first, a.Info().Lines), last)
		if err != nil {
			return err
		}
		part, err := a.Reader(span)
		if err != nil {
			return err
		}
		n, err := io.Copy(io.Discard, part)
		keep(int(n))
		return err
	}
	outcomes := turns(b.rounds, b.calls(func() error { return lines(900_000, 900_100) }))
	r.alone("lines 900,000 to 900,100 of 50 MB, wall", wallMilliseconds, outcomes[0], atMost(5))
	return b.queries(r)
}

// queries asks for what is large in a list of 150 MB, as a process.
func (b *bench) queries(r *report) error {
	list := `{"allocations":[` + "\n" + repeated(b.size(150_000_000), `{"size":%d,"kind":"string","edges":[1,2,3],"where":"src/module/file.ts:120"},`+"\n")
	list = list[:len(list)-2] + "\n]}\n"
	path, err := b.file("heap.json", list, len(list))
	if err != nil {
		return err
	}
	defer os.Remove(path)
	root := filepath.Join(b.folder, "queried")
	if err := newWorkspace(root, keeping); err != nil {
		return err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	store := artifacts.Open(dir, artifacts.Options{Folder: config.Default().Tools.Truncation.Artifacts.StoragePath, Now: time.Now, Detached: true})
	info, err := create(store, []byte(list), "application/json")
	if err != nil {
		return err
	}
	query := `$.allocations[?(@.size > 1900000)]`
	outcomes := turns(min(b.rounds, 3),
		b.process(b.acode, "artifacts", "show", info.ID, "--root", root, "--query", query),
		b.process("jq", "-c", ".allocations[] | select(.size > 1900000)", path))
	r.add("JSONPath on 150 MB, wall", wallMilliseconds, outcomes[0], "jq", outcomes[1], bound{})
	r.add("JSONPath on 150 MB, memory", memory, outcomes[0], "jq", outcomes[1], atMost(40))
	return nil
}
