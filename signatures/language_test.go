package signatures_test

import (
	"testing"

	"github.com/acode-ls/acode-ls/signatures"
)

func TestDetect(t *testing.T) {
	for _, test := range []struct {
		path, firstLine string
		want            signatures.Language
	}{
		{"main.go", "", signatures.Go},
		{"/a/b.c/MAIN.GO", "", signatures.Go},
		{"a.d.ts", "", signatures.TypeScript},
		{"a.mts", "", signatures.TypeScript},
		{"App.tsx", "", signatures.TypeScriptReact},
		{"App.jsx", "", signatures.JavaScript},
		{"types.pyi", "", signatures.Python},
		{"a.h", "", signatures.CPlusPlus},
		{"Rakefile", "", signatures.Ruby},
		{"docs/Makefile", "", signatures.Make},
		{".bashrc", "", signatures.Bash},
		{"README.md", "", signatures.Markdown},
		{"schema.SQL", "", signatures.SQL},
		{"script", "#!/bin/sh", signatures.Bash},
		{"script", "#!/usr/bin/env python3", signatures.Python},
		{"script", "#! /usr/bin/env -S PYTHONPATH=lib python3.12 -u\r", signatures.Python},
		{"script", "\ufeff#!/usr/bin/node", signatures.JavaScript},
		{"script", "#!/opt/local/bin/perl5.36 -w", signatures.Perl},
		{"script", "#!", ""},
		{"script", "#!/usr/bin/env", ""},
		{"script", "# -*- mode: ruby; coding: utf-8 -*-", signatures.Ruby},
		{"script", "// -*- C++ -*-", signatures.CPlusPlus},
		{"index", "<?php declare(strict_types=1);", signatures.PHP},
		{"script.py", "#!/bin/sh", signatures.Python},
		{"data.bin", "", ""},
		{"LICENSE", "MIT License", ""},
		{"image.png", "\x89PNG", ""},
		{"", "", ""},
	} {
		if got := signatures.Detect(test.path, test.firstLine); got != test.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", test.path, test.firstLine, got, test.want)
		}
	}
}
