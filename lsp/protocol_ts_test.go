package lsp

import (
	"bufio"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tsTypes are the interfaces of editors/vscode/src/protocol.ts with the types
// they mirror. What the client sends may leave out more than Go can tell.
var tsTypes = map[string]tsMirror{
	"DocumentId":         {of: documentID{}},
	"LineRange":          {of: lineRange{}},
	"Signature":          {of: signature{}},
	"SignatureRead":      {of: signatureRead{}},
	"ReadParams":         {of: readParams{}, sent: true},
	"ReadResult":         {of: readResult{}},
	"Omission":           {of: omission{}},
	"Metadata":           {of: metadata{}},
	"Redaction":          {of: redaction{}},
	"EditParams":         {of: fileEdit{}, sent: true},
	"PieceEdit":          {of: pieceEdit{}, sent: true},
	"EditResult":         {of: applyResult{}},
	"Block":              {of: block{}},
	"Warning":            {of: warning{}},
	"Excerpt":            {of: excerpt{}},
	"StateParams":        {of: stateParams{}, sent: true},
	"StateResult":        {of: stateResult{}},
	"FileState":          {of: fileState{}},
	"ArtifactParams":     {of: artifactParams{}, sent: true},
	"ArtifactPart":       {of: artifactPart{}},
	"ArtifactRange":      {of: artifactRange{}},
	"ArtifactsParams":    {of: artifactsParams{}, sent: true},
	"ArtifactsResult":    {of: artifactsResult{}},
	"ArtifactInfo":       {of: artifactInfo{}},
	"ArtifactsChanged":   {of: artifactsChanged{}},
	"SessionsResult":     {of: sessionsResult{}},
	"SessionInfo":        {of: sessionInfo{}},
	"SessionEventParams": {of: sessionEventParams{}, sent: true},
	"SessionResult":      {of: sessionResult{}},
	"StateChanged":       {of: stateChanged{}},
	"View":               {of: view{}},
	"UnreadRange":        {of: unreadRange{}},
	"EditRefused":        {of: editRefused{}},
}

type tsMirror struct {
	of   any
	sent bool // by the client
}

type tsField struct {
	name, json string
	optional   bool
}

var (
	tsOpen    = regexp.MustCompile(`^export interface (\w+) \{$`)
	tsMember  = regexp.MustCompile(`^  (\w+)(\??): ([^;]+);$`)
	tsMethod  = regexp.MustCompile(`new (?:Request|Notification)Type<.*>\('([^']+)'\)`)
	tsCommand = regexp.MustCompile(`^  '(acode\.\w+)': \{.*\};$`)
)

// TestProtocolTS fails when protocol.ts and the wire types differ.
func TestProtocolTS(t *testing.T) {
	interfaces, names := readProtocolTS(t)
	for name, fields := range interfaces {
		mirror, ok := tsTypes[name]
		if !ok {
			t.Errorf("protocol.ts: no type of wire.go is named for interface %s", name)
			continue
		}
		compareTS(t, name, fields, mirror)
	}
	for name := range tsTypes {
		if interfaces[name] == nil {
			t.Errorf("protocol.ts has no interface %s", name)
		}
	}
	known := append(slices.Collect(maps.Keys((&Server{}).handlers())), commandNames()...)
	source := serverSource(t)
	for _, name := range names {
		// A notification the server sends is in no table.
		if !slices.Contains(known, name) && !strings.Contains(source, `"`+name+`", `) {
			t.Errorf("protocol.ts: the server has no %s", name)
		}
	}
}

func serverSource(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(b)
	}
	return source.String()
}

func compareTS(t *testing.T, name string, fields []tsField, mirror tsMirror) {
	t.Helper()
	want := jsonFields(reflect.TypeOf(mirror.of))
	for _, f := range fields {
		w, ok := want[f.name]
		delete(want, f.name)
		if !ok {
			t.Errorf("%s.%s is in protocol.ts, but not in wire.go", name, f.name)
			continue
		}
		if mirror.sent {
			// What is never sent as null need not be taken as null.
			w.json = strings.TrimSuffix(w.json, " | null")
		}
		if f.json != w.json {
			t.Errorf("%s.%s is %s in protocol.ts, %s in wire.go", name, f.name, f.json, w.json)
		}
		if f.optional != w.optional && !(mirror.sent && f.optional && w.omissible) {
			t.Errorf("%s.%s: optional is %v in protocol.ts, %v in wire.go", name, f.name, f.optional, w.optional)
		}
	}
	for field := range want {
		t.Errorf("%s.%s is in wire.go, but not in protocol.ts", name, field)
	}
}

type goField struct {
	json      string
	optional  bool
	omissible bool // in what the client sends: left out, it is the zero value
}

// jsonFields returns the fields of a struct as they are in JSON.
func jsonFields(t reflect.Type) map[string]goField {
	fields := map[string]goField{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, named := f.Tag.Lookup("json")
		if f.Anonymous && !named {
			for name, inner := range jsonFields(f.Type) {
				fields[name] = inner
			}
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		optional := option == "omitempty"
		json := jsonType(f.Type)
		if f.Type.Kind() == reflect.Pointer && !optional {
			json += " | null"
		}
		fields[name] = goField{json, optional, f.Type.Kind() != reflect.Struct}
	}
	return fields
}

// jsonType names a type as protocol.ts does.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Slice:
		return jsonType(t.Elem()) + "[]"
	case reflect.Map:
		return "Record<" + jsonType(t.Key()) + ", " + jsonType(t.Elem()) + ">"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Struct:
		for name, mirror := range tsTypes {
			if reflect.TypeOf(mirror.of) == t {
				return name
			}
		}
	}
	return t.String()
}

// readProtocolTS returns the interfaces of protocol.ts, and the methods and
// commands it names.
func readProtocolTS(t *testing.T) (interfaces map[string][]tsField, names []string) {
	t.Helper()
	file, err := os.Open("../editors/vscode/src/protocol.ts")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	interfaces = map[string][]tsField{}
	open := ""
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if m := tsMethod.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
			continue
		}
		m := tsMember.FindStringSubmatch(line)
		switch {
		case open == "":
			if m := tsOpen.FindStringSubmatch(line); m != nil {
				open = m[1]
			} else if strings.HasPrefix(line, "interface ") || strings.HasPrefix(line, "export interface ") {
				t.Errorf("protocol.ts:%d: an interface in another form: %s", n, line)
			}
		case line == "}":
			open = ""
		case open == "ServerCommands":
			m := tsCommand.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("protocol.ts:%d: a command in another form: %s", n, line)
				continue
			}
			names = append(names, m[1])
		case m == nil:
			t.Errorf("protocol.ts:%d: a field in another form: %s", n, line)
		default:
			interfaces[open] = append(interfaces[open], tsField{m[1], m[3], m[2] == "?"})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Error("protocol.ts: no methods were found")
	}
	return interfaces, names
}
