package mcp_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/acode-ls/acode-ls/internal/mcp"
	"github.com/acode-ls/acode-ls/lsp"
)

// These benchmarks stand beside ones of servers that are the SDK and nothing
// else: calls go through pipes of the system, to the SDK's client.

// pipes connects a client to what serve serves.
func pipes(b *testing.B, serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser)) *sdk.ClientSession {
	b.Helper()
	serverIn, clientOut, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	clientIn, serverOut, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.Context()))
	go func() {
		defer close(done)
		serve(ctx, serverIn, serverOut)
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).
		Connect(ctx, &sdk.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		session.Close()
		<-done
		cancel()
	})
	return session
}

// ours is a session with the server of this package.
func ours(b *testing.B, root string) *sdk.ClientSession {
	b.Helper()
	link, err := lsp.OpenLink(root, lsp.LinkOptions{Alone: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { link.Close() })
	hub, err := link.Hub()
	if err != nil {
		b.Fatal(err)
	}
	return pipes(b, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) {
		if err := mcp.Serve(ctx, in, out, mcp.Options{Workspace: link, Hub: hub}); err != nil {
			b.Error(err)
		}
	})
}

type echo struct {
	Path string `json:"path"`
}

type file struct {
	Content string `json:"content"`
}

// plain is a session with the SDK's server.
func plain(b *testing.B, root string) *sdk.ClientSession {
	b.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "plain", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "echo"}, func(_ context.Context, _ *sdk.CallToolRequest, in echo) (*sdk.CallToolResult, echo, error) {
		return nil, in, nil
	})
	sdk.AddTool(server, &sdk.Tool{Name: "read"}, func(_ context.Context, _ *sdk.CallToolRequest, in echo) (*sdk.CallToolResult, file, error) {
		content, err := os.ReadFile(filepath.Join(root, in.Path))
		return nil, file{string(content)}, err
	})
	return pipes(b, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) {
		if err := server.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out}); err != nil {
			b.Error(err)
		}
	})
}

func benchmark(b *testing.B, session *sdk.ClientSession, tool string) {
	b.Helper()
	params := &sdk.CallToolParams{Name: tool, Arguments: map[string]any{"path": "a.go"}}
	for b.Loop() {
		r, err := session.CallTool(b.Context(), params)
		if err != nil || r.IsError {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	for _, size := range []struct{ name, text string }{
		{"100 lines", strings.Repeat("\tif err := check(input, options); err != nil {\n", 100)},
		{"10,000 lines", strings.Repeat("x++\n", 10_000)}, // which are cut and not stored
	} {
		root := folder(b, map[string]string{"a.go": size.text})
		b.Run(size.name+"/plain echo", func(b *testing.B) { benchmark(b, plain(b, root), "echo") })
		b.Run(size.name+"/awareness_state", func(b *testing.B) { benchmark(b, ours(b, root), "awareness_state") })
		b.Run(size.name+"/plain read", func(b *testing.B) { benchmark(b, plain(b, root), "read") })
		b.Run(size.name+"/read_file", func(b *testing.B) { benchmark(b, ours(b, root), "read_file") })
	}
}

// BenchmarkStart is from nothing to initialized, in one process.
func BenchmarkStart(b *testing.B) {
	root := folder(b, nil)
	for b.Loop() {
		ours(b, root).Close()
	}
}
