// Package config reads the settings of a workspace from .agent/config.yml.
//
// A file is taken whole or not at all: Parse finds everything that is wrong
// with it, each with its place, what was meant and what is allowed. The structs
// below are the one list of keys; their tags and comments become the JSON
// Schema and the tables of docs/configuration.md.
//
// The package reads no environment and no flags, writes nothing, and does not
// know what the settings are used for.
package config

import (
	"reflect"
	"time"
)

// Config is every setting. It is not changed after it was made, and may be used
// by several goroutines.
type Config struct {
	// What agents see and change.
	Tools Tools `json:"tools"`

	// How long a session is remembered.
	Sessions Sessions `json:"sessions"`

	// The log file, where there is one, and where metrics go.
	Logging Logging `json:"logging"`

	user  layer            // what the file sets, by full key, without overrides
	tools map[string]layer // what it sets in overrides, by tool and the key inside
	other Override         // what applies to tools without an override
}

// Tools are the settings of what agents see and change.
type Tools struct {
	// How output that is too long is cut.
	Truncation Truncation `json:"truncation"`

	// How edits are guarded.
	Awareness Awareness `json:"awareness"`

	// How secrets are masked.
	Redaction Redaction `json:"redaction"`
}

// Truncation says how output that is too long is cut.
type Truncation struct {
	Limits

	// How output over its limit is cut, for tools without a strategy of their own. A tool's built-in strategy survives any value but none.
	DefaultStrategy string `json:"default_strategy" jsonschema:"enum=head_tail,enum=tail,enum=head,enum=element,enum=smart,enum=none"`

	// The strategy smart.
	SmartTruncation SmartTruncation `json:"smart_truncation"`

	// The store of what did not fit.
	Artifacts Artifacts `json:"artifacts"`

	// What is told about output that was cut.
	Metadata Metadata `json:"metadata"`

	// What applies to single tools, by name. In a Config, what an override leaves
	// open is filled in.
	Overrides map[string]Override `json:"overrides" jsonschema:"maxProperties=1000"`
}

// Override is what can be set for one tool. A key that it leaves out is as in
// the global settings.
type Override struct {
	// Whether output of this tool is cut and stored at all. Redaction and max_artifact_size hold all the same.
	Enabled bool `json:"enabled"`

	// How output of this tool is cut.
	Strategy string `json:"strategy" jsonschema:"enum=head_tail,enum=tail,enum=head,enum=element,enum=smart,enum=none"`

	Limits

	// The strategy smart.
	SmartTruncation SmartOptions `json:"smart_truncation"`
}

// Limits can be set for all tools and for each.
type Limits struct {
	// Characters up to which output is never cut. About 4 characters are a token; 4000 to 16000 is sensible.
	InlineLimit int `json:"inline_limit" jsonschema:"minimum=1,maximum=1000000000"`

	// Characters from which output is stored as an artifact, and a reference shown instead; nothing up to inline_limit is. 20000 to 100000 is sensible.
	ArtifactThreshold int `json:"artifact_threshold" jsonschema:"minimum=1,maximum=1000000000"`

	// Bytes from which output is refused instead of stored. At most 50 MB (52428800) is sensible.
	MaxArtifactSize int64 `json:"max_artifact_size" jsonschema:"minimum=1,maximum=9007199254740992"`

	// Fraction of inline_limit that head_tail gives to the start; the end gets the rest. 0.5 to 0.7 is sensible.
	HeadRatio float64 `json:"head_ratio" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1"`

	// The strategies head and tail.
	LineTruncation LineTruncation `json:"line_truncation"`

	// The strategy element.
	ElementTruncation ElementTruncation `json:"element_truncation"`
}

// LineTruncation are the limits of the strategies head and tail.
type LineTruncation struct {
	// Lines that tail keeps at most.
	TailLines int `json:"tail_lines" jsonschema:"minimum=1,maximum=1000000000"`

	// Lines that head keeps at most.
	HeadLines int `json:"head_lines" jsonschema:"minimum=1,maximum=1000000000"`

	// Characters after which head and tail cut a line, in output that is over its limit.
	MaxLineLength int `json:"max_line_length" jsonschema:"minimum=1,maximum=1000000000"`
}

// ElementTruncation are the limits of the strategy element.
type ElementTruncation struct {
	// Elements kept from the start of a list. Together with last_elements at least 1.
	FirstElements int `json:"first_elements" jsonschema:"minimum=0,maximum=1000000000"`

	// Elements kept from the end of a list. Together with first_elements at least 1.
	LastElements int `json:"last_elements" jsonschema:"minimum=0,maximum=1000000000"`

	// Levels of nesting that are kept below the outermost.
	MaxDepth int `json:"max_depth" jsonschema:"minimum=1,maximum=1000000000"`

	// Whether JSON stays valid. If false, its structure is shown, indented and with plain markers.
	PreserveJSON bool `json:"preserve_json"`
}

// SmartTruncation governs the strategy smart.
type SmartTruncation struct {
	// Experimental. Whether tools without a strategy of their own are cut by smart instead of default_strategy; none stays none.
	Enabled bool `json:"enabled"`

	SmartOptions
}

// SmartOptions are the options of the strategy smart.
type SmartOptions struct {
	// Whether functions and classes of code are kept whole.
	PreserveFunctions bool `json:"preserve_functions"`

	// Whether lines of logs with ERROR or WARN are kept before others.
	PrioritizeErrors bool `json:"prioritize_errors"`
}

// Artifacts governs the store of what did not fit.
type Artifacts struct {
	// Folder of the artifacts, relative to the root, with slashes.
	StoragePath string `json:"storage_path" jsonschema:"maxLength=255,pattern=^(\\.?\\.?[^./\\\\:\\x00-\\x1f\\x7f][^/\\\\:\\x00-\\x1f\\x7f]*/)*\\.?\\.?[^./\\\\:\\x00-\\x1f\\x7f][^/\\\\:\\x00-\\x1f\\x7f]*$" want:"a path below the root such as .acode/artifacts"`

	// Whether artifacts are removed when their session ends. If false, they stay until the program next starts with true.
	CleanupOnExit bool `json:"cleanup_on_exit"`

	// Whether artifacts over 1 MB are compressed on disk.
	CompressLarge bool `json:"compress_large"`

	// Whether parts of an artifact can be asked for, by lines, bytes or a query.
	EnablePartialRetrieval bool `json:"enable_partial_retrieval"`

	// Bytes that the artifacts of a session take at most. Over it, the oldest go first.
	SessionQuota int64 `json:"session_quota" jsonschema:"minimum=1,maximum=9007199254740992"`

	// Artifacts that a session stores per minute at most. Output beyond is refused.
	MaxPerMinute int `json:"max_per_minute" jsonschema:"minimum=1,maximum=1000000000"`

	// Whether lists of artifacts show where they came from.
	DetailedListing bool `json:"detailed_listing"`

	// Whether artifacts are signed, so that a change to both an artifact and its description is noticed.
	Sign bool `json:"sign"`
}

// Metadata says what is told about output that was cut. That it was, and the id
// of its artifact, are always told.
type Metadata struct {
	// Whether the original size is told.
	IncludeOriginalSize bool `json:"include_original_size"`

	// Whether estimates in tokens are told.
	IncludeTokenEstimate bool `json:"include_token_estimate"`

	// Whether the strategy is told.
	IncludeStrategy bool `json:"include_strategy"`

	// Whether it is told how to get an artifact.
	IncludeRetrievalInstructions bool `json:"include_retrieval_instructions"`
}

// Awareness governs the guard of edits.
type Awareness struct {
	// Whether an edit that is blocked for a few unread lines is answered with those lines.
	AutoExpand bool `json:"auto_expand"`

	// Lines that auto_expand shows at most; if more are missing, it shows none.
	AutoExpandLines int `json:"auto_expand_lines" jsonschema:"minimum=1,maximum=1000000000"`

	// What becomes of an edit of lines that changed since the agent saw them: a warning, or a block.
	StalePolicy string `json:"stale_policy" jsonschema:"enum=warn,enum=block"`
}

// Redaction governs the masking of secrets.
type Redaction struct {
	// Whether secrets are masked before output is cut, shown or stored.
	Enabled bool `json:"enabled"`

	// Whether every run of 40 letters, digits, _ or - is masked. Much that is no secret looks like that.
	Strict bool `json:"strict"`

	// What is masked besides the built-in kinds of secrets.
	Patterns []Pattern `json:"patterns" jsonschema:"maxItems=100"`
}

// Pattern is a kind of secret of one's own.
type Pattern struct {
	// Name that stands in [REDACTED: NAME]: letters, digits, _ and -.
	Name string `json:"name" jsonschema:"required,maxLength=64,pattern=^[A-Za-z0-9_-]+$" want:"up to 64 letters, digits, _ and -"`

	// Regular expression (RE2) of the secret. It must not match the empty text.
	Regex string `json:"regex" jsonschema:"required,minLength=1,maxLength=1000" want:"a regular expression of at most 1000 characters"`
}

// Sessions governs how long a session is remembered.
type Sessions struct {
	// Time without use after which a session ends and its record is dropped: a whole number and s, m or h.
	IdleTTL time.Duration `json:"idle_ttl" jsonschema:"maxLength=7,pattern=^[1-9][0-9]*[smh]$" want:"a time such as 90m or 24h"`
}

// Logging governs a log file and the export of metrics.
type Logging struct {
	// Megabytes (1048576 bytes) after which a log file is rotated.
	MaxSizeMB int `json:"max_size_mb" jsonschema:"minimum=1,maximum=1000000"`

	// Days after which a rotated log file is removed.
	MaxAgeDays int `json:"max_age_days" jsonschema:"minimum=1,maximum=1000000"`

	// URL of an OpenTelemetry collector (OTLP over HTTP) that servers send what they count to, such as http://localhost:4318. Nothing is sent if it is empty. One that is not on this machine must also be in the variable OTEL_EXPORTER_OTLP_ENDPOINT.
	OTLPEndpoint string `json:"otlp_endpoint" jsonschema:"maxLength=2000,pattern=^(https?://[^\\s/]+(/[^\\s]*)?)?$" want:"a URL such as http://localhost:4318"`
}

// shipped are the built-in overrides, by tool. Some set what the default is
// anyway, and then hold on to it.
var shipped = map[string]func(o *Override){
	"execute_command": func(o *Override) {
		o.Strategy, o.InlineLimit = "tail", 5000
		o.LineTruncation.TailLines = 150
	},
	"read_file": func(o *Override) {
		o.Strategy, o.InlineLimit, o.HeadRatio = "head_tail", 12_000, 0.65
	},
	"list_directory": func(o *Override) {
		o.Strategy, o.InlineLimit = "element", 10_000
		o.ElementTruncation.FirstElements, o.ElementTruncation.LastElements = 10, 5
	},
	"search_files": func(o *Override) {
		o.Strategy, o.InlineLimit = "element", 15_000
		o.ElementTruncation.FirstElements, o.ElementTruncation.LastElements = 8, 3
	},
	"git_diff": func(o *Override) {
		o.Strategy, o.InlineLimit = "smart", 20_000
		o.SmartTruncation.PreserveFunctions = true
	},
	"http_request": func(o *Override) {
		o.Strategy, o.InlineLimit = "element", 10_000
		o.ElementTruncation.PreserveJSON, o.ElementTruncation.MaxDepth = true, 2
	},
}

// Default returns the settings that hold without a file.
func Default() *Config {
	c := plain()
	c.complete()
	return c
}

// plain returns the defaults without what is known of single tools.
func plain() *Config {
	return &Config{
		Tools: Tools{
			Truncation: Truncation{
				Limits: Limits{
					InlineLimit: 8000, ArtifactThreshold: 50_000, MaxArtifactSize: 10 << 20, HeadRatio: 0.6,
					LineTruncation:    LineTruncation{TailLines: 200, HeadLines: 300, MaxLineLength: 500},
					ElementTruncation: ElementTruncation{FirstElements: 5, LastElements: 5, MaxDepth: 3, PreserveJSON: true},
				},
				DefaultStrategy: "head_tail",
				SmartTruncation: SmartTruncation{SmartOptions: SmartOptions{PreserveFunctions: true, PrioritizeErrors: true}},
				Artifacts: Artifacts{
					StoragePath: ".acode/artifacts", CleanupOnExit: true, EnablePartialRetrieval: true,
					SessionQuota: 1 << 30, MaxPerMinute: 120, DetailedListing: true,
				},
				Metadata: Metadata{
					IncludeOriginalSize: true, IncludeTokenEstimate: true,
					IncludeStrategy: true, IncludeRetrievalInstructions: true,
				},
			},
			Awareness: Awareness{AutoExpand: true, AutoExpandLines: 40, StalePolicy: "warn"},
			Redaction: Redaction{Enabled: true, Patterns: []Pattern{}},
		},
		Sessions: Sessions{IdleTTL: 24 * time.Hour},
		Logging:  Logging{MaxSizeMB: 10, MaxAgeDays: 7},
	}
}

// leaves calls visit for each setting below v, a struct, in the order of the
// fields; key is that of the setting. Maps are left out.
func leaves(v reflect.Value, key string, visit func(key string, v reflect.Value)) {
	for i := range v.NumField() {
		field, inner := v.Type().Field(i), v.Field(i)
		switch {
		case !field.IsExported() || field.Type.Kind() == reflect.Map:
		case field.Anonymous:
			leaves(inner, key, visit)
		case field.Type.Kind() == reflect.Struct:
			leaves(inner, join(key, nameOf(field)), visit)
		default:
			visit(join(key, nameOf(field)), inner)
		}
	}
}

func nameOf(f reflect.StructField) string { return f.Tag.Get("json") }

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}
