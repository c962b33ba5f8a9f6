package main

import (
	"context"
	"errors"
	"io"

	"github.com/acode-ls/acode-ls/lsp"
)

// serve runs the language server on stdin and stdout.
func (a *app) serve(ctx context.Context) error {
	log, err := a.logger()
	if err != nil {
		return err
	}
	defer log.Sync() //nolint:errcheck // stderr cannot be synced everywhere
	err = lsp.Serve(ctx, duplex{a.in, a.out}, lsp.ServerOptions{
		Root: a.root, Session: a.session, Version: lsp.BuildVersion(), Log: log,
	})
	if errors.Is(err, context.Canceled) { // a signal: the journal is complete at any time
		return nil
	}
	return err
}

// duplex is stdin and stdout as one connection.
type duplex struct {
	io.ReadCloser
	out io.WriteCloser
}

func (d duplex) Write(p []byte) (int, error) { return d.out.Write(p) }

func (d duplex) Close() error { return errors.Join(d.ReadCloser.Close(), d.out.Close()) }
