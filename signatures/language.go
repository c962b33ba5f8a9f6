package signatures

import (
	"path/filepath"
	"strings"
)

// Language names a language as editors' protocols do. The empty string is an
// unknown one.
type Language string

const (
	Go              Language = "go"
	TypeScript      Language = "typescript"
	TypeScriptReact Language = "typescriptreact" // TSX
	JavaScript      Language = "javascript"      // and JSX
	Python          Language = "python"
	Rust            Language = "rust"
	Java            Language = "java"
	C               Language = "c"
	CPlusPlus       Language = "cpp"
	CSharp          Language = "csharp"
	Ruby            Language = "ruby"
	PHP             Language = "php"
	Kotlin          Language = "kotlin"
	Swift           Language = "swift"
	Scala           Language = "scala"
	Lua             Language = "lua"
	Elixir          Language = "elixir"
	Bash            Language = "shellscript"
	SQL             Language = "sql"
	Markdown        Language = "markdown"
	YAML            Language = "yaml"
	TOML            Language = "toml"
	HCL             Language = "hcl"
	Protobuf        Language = "proto"
	CSS             Language = "css"
	Perl            Language = "perl"
	R               Language = "r"
	Dart            Language = "dart"
	Groovy          Language = "groovy"
	Haskell         Language = "haskell"
	Zig             Language = "zig"
	Julia           Language = "julia"
	ObjectiveC      Language = "objective-c"
	PowerShell      Language = "powershell"
	Clojure         Language = "clojure"
	Erlang          Language = "erlang"
	OCaml           Language = "ocaml"
	VimScript       Language = "vim"
	Nix             Language = "nix"
	FSharp          Language = "fsharp"
	Make            Language = "makefile"
	Dockerfile      Language = "dockerfile"
)

// Detect returns the language of a file by its name, else by its first line
// ("#!/usr/bin/env python3", "-*- ruby -*-"), else "". The path need not exist.
func Detect(path, firstLine string) Language {
	base := filepath.Base(path)
	if lang := byName(base); lang != "" {
		return lang
	}
	if lang := byEnding(strings.ToLower(filepath.Ext(base))); lang != "" {
		return lang
	}
	return byFirstLine(firstLine)
}

// byName knows files whose whole name tells the language. These are switches
// rather than maps, so that nothing is built when the program starts.
func byName(base string) Language {
	switch base {
	case "Rakefile", "Gemfile", "Vagrantfile", "Brewfile", "Guardfile", "Podfile", "Fastfile", "Capfile":
		return Ruby
	case "SConstruct", "SConscript", "wscript", "Snakefile", "BUILD", "WORKSPACE":
		return Python
	case ".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", "PKGBUILD", "APKBUILD":
		return Bash
	case "Jenkinsfile":
		return Groovy
	case "Jakefile":
		return JavaScript
	case "Cargo.lock", "poetry.lock", "uv.lock", "Pipfile", "Gopkg.lock":
		return TOML
	case ".clang-format", ".clang-tidy", ".clangd":
		return YAML
	case ".vimrc", ".gvimrc", "_vimrc":
		return VimScript
	case "Makefile", "makefile", "GNUmakefile":
		return Make
	case "Dockerfile", "Containerfile":
		return Dockerfile
	case ".Rprofile":
		return R
	}
	return ""
}

// byEnding knows the ending of names, in lower case and with its dot.
func byEnding(ending string) Language {
	switch ending {
	case ".go":
		return Go
	case ".ts", ".mts", ".cts":
		return TypeScript
	case ".tsx":
		return TypeScriptReact
	case ".js", ".mjs", ".cjs", ".jsx", ".es6":
		return JavaScript
	case ".py", ".pyi", ".pyw", ".bzl", ".star":
		return Python
	case ".rs":
		return Rust
	case ".java":
		return Java
	case ".c":
		return C
	case ".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cu", ".cuh", ".ino":
		return CPlusPlus // a .h may be C, which the grammar of C++ takes too
	case ".cs", ".csx":
		return CSharp
	case ".rb", ".rake", ".gemspec", ".ru", ".podspec":
		return Ruby
	case ".php", ".phtml", ".php5", ".php7", ".php8":
		return PHP
	case ".kt", ".kts":
		return Kotlin
	case ".swift":
		return Swift
	case ".scala", ".sc", ".sbt":
		return Scala
	case ".lua", ".rockspec":
		return Lua
	case ".ex", ".exs":
		return Elixir
	case ".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild":
		return Bash
	case ".sql", ".ddl", ".psql", ".pgsql", ".mysql":
		return SQL
	case ".md", ".markdown", ".mdown", ".mkd", ".mdx", ".rmd", ".qmd":
		return Markdown
	case ".yml", ".yaml":
		return YAML
	case ".toml":
		return TOML
	case ".hcl", ".tf", ".tfvars", ".nomad":
		return HCL
	case ".proto":
		return Protobuf
	case ".css", ".scss", ".less":
		return CSS
	case ".pl", ".pm", ".pod", ".psgi":
		return Perl
	case ".r":
		return R
	case ".dart":
		return Dart
	case ".groovy", ".gradle", ".gvy":
		return Groovy
	case ".hs":
		return Haskell
	case ".zig":
		return Zig
	case ".jl":
		return Julia
	case ".m", ".mm":
		return ObjectiveC
	case ".ps1", ".psm1", ".psd1":
		return PowerShell
	case ".clj", ".cljs", ".cljc", ".edn":
		return Clojure
	case ".erl", ".hrl", ".escript":
		return Erlang
	case ".ml", ".mli":
		return OCaml
	case ".vim":
		return VimScript
	case ".nix":
		return Nix
	case ".fs", ".fsi", ".fsx":
		return FSharp
	case ".mk", ".mak":
		return Make
	case ".dockerfile":
		return Dockerfile
	}
	return ""
}

// byFirstLine understands "#!" lines and the modes that editors read.
func byFirstLine(line string) Language {
	if command, ok := strings.CutPrefix(strings.TrimPrefix(line, "\ufeff"), "#!"); ok {
		return byInterpreter(command)
	}
	if _, mode, ok := strings.Cut(line, "-*-"); ok {
		mode, _, _ = strings.Cut(mode, "-*-")
		mode = strings.ToLower(strings.TrimSpace(mode))
		if _, after, ok := strings.Cut(mode, "mode:"); ok {
			mode, _, _ = strings.Cut(after, ";")
			mode = strings.TrimSpace(mode)
		}
		return byMode(mode)
	}
	if strings.HasPrefix(line, "<?php") {
		return PHP
	}
	return ""
}

// byInterpreter takes the rest of a "#!" line: "/usr/bin/env -S python3.12 -u".
func byInterpreter(command string) Language {
	for word := range strings.FieldsSeq(command) {
		name := word[strings.LastIndexByte(word, '/')+1:]
		if name == "env" || strings.HasPrefix(name, "-") || strings.Contains(name, "=") {
			continue
		}
		name, _, _ = strings.Cut(name, ".")
		return byMode(strings.TrimRight(name, "0123456789"))
	}
	return ""
}

// byMode takes the name of an interpreter or of an editor's mode.
func byMode(name string) Language {
	switch name {
	case "go":
		return Go
	case "node", "nodejs", "bun", "js", "javascript", "zx":
		return JavaScript
	case "deno", "ts-node", "tsx", "typescript":
		return TypeScript
	case "python", "pypy", "uv":
		return Python
	case "ruby", "jruby":
		return Ruby
	case "perl":
		return Perl
	case "php":
		return PHP
	case "lua", "luajit":
		return Lua
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "bats", "shell-script":
		return Bash
	case "elixir":
		return Elixir
	case "escript", "erlang":
		return Erlang
	case "Rscript":
		return R
	case "pwsh":
		return PowerShell
	case "groovy":
		return Groovy
	case "scala":
		return Scala
	case "kotlin":
		return Kotlin
	case "swift":
		return Swift
	case "julia":
		return Julia
	case "runghc", "runhaskell", "stack":
		return Haskell
	case "c++":
		return CPlusPlus
	case "c":
		return C
	case "rust":
		return Rust
	case "make":
		return Make
	}
	return ""
}
