package main

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/zap"
)

// TestEndpoint: a workspace from elsewhere cannot have metrics sent away.
func TestEndpoint(t *testing.T) {
	for _, test := range []struct{ set, env, want string }{
		{"", "", ""},
		{"", "http://collector:4318", ""},
		{"http://localhost:4318", "", "http://localhost:4318"},
		{"http://127.0.0.1:4318", "", "http://127.0.0.1:4318"},
		{"http://[::1]:4318/x", "", "http://[::1]:4318/x"},
		{"http://collector:4318", "", ""},
		{"http://localhost.evil:4318", "", ""},
		{"http://localhost@evil:4318", "", ""},
		{"http://collector:4318", "http://other:4318", ""},
		{"http://collector:4318", "http://collector:4318", "http://collector:4318"},
	} {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", test.env)
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, ".agent"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, ".agent", "config.yml"), []byte("logging: {otlp_endpoint: '"+test.set+"'}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		e := exports{log: zap.NewNop()}
		if got := e.endpoint(root); got != test.want {
			t.Errorf("set to %q, environment %q: %q, want %q", test.set, test.env, got, test.want)
		}
	}
}
