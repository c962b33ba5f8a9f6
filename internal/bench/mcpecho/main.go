// Command mcpecho is an MCP server as the SDK's examples write one, with typed
// arguments and results: what an MCP server on the SDK is measured against. It
// echoes a message and reads lines of files.
//
// It keeps no ledger, masks nothing and cuts nothing.
package main

import (
	"bufio"
	"context"
	"log"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	log.SetFlags(0)
	server := mcp.NewServer(&mcp.Implementation{Name: "mcpecho", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Answers with the message."}, echo)
	mcp.AddTool(server, &mcp.Tool{Name: "read", Description: "Reads lines of a file."}, read)
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}

type message struct {
	Message string `json:"message" jsonschema:"what to answer with"`
}

func echo(_ context.Context, _ *mcp.CallToolRequest, in message) (*mcp.CallToolResult, message, error) {
	return nil, in, nil
}

type lines struct {
	Path  string `json:"path" jsonschema:"file to read"`
	Start int    `json:"start_line" jsonschema:"first line, 1-based"`
	End   int    `json:"end_line" jsonschema:"last line"`
}

type content struct {
	Content string `json:"content" jsonschema:"the lines"`
}

func read(_ context.Context, _ *mcp.CallToolRequest, in lines) (*mcp.CallToolResult, content, error) {
	f, err := os.Open(in.Path)
	if err != nil {
		return nil, content{}, err
	}
	defer f.Close()
	var out strings.Builder
	in.End = max(in.End, in.Start)
	for n, scanner := 1, bufio.NewScanner(f); n <= in.End && scanner.Scan(); n++ {
		if n >= in.Start {
			out.WriteString(scanner.Text() + "\n")
		}
	}
	return nil, content{out.String()}, nil
}
