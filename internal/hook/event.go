package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// event is what an agent sends, of any agent. What is large is decoded when
// it is needed.
type event struct {
	name, session, cwd string
	agentID            string // of a sub-agent, which has a context of its own
	source             string // why a session starts
	tool               string
	input, response    jsontext.Value
	agent              *agent
}

// wireEvent is an event on the wire. Older versions of VS Code write some names
// in camelCase.
type wireEvent struct {
	Name          string         `json:"hook_event_name"`
	NameCamel     string         `json:"hookEventName"`
	Session       string         `json:"session_id"`
	SessionCamel  string         `json:"sessionId"`
	Timestamp     jsontext.Value `json:"timestamp"`
	Cwd           string         `json:"cwd"`
	AgentID       string         `json:"agent_id"`
	AgentIDCamel  string         `json:"agentId"`
	Source        string         `json:"source"`
	Tool          string         `json:"tool_name"`
	ToolCamel     string         `json:"toolName"`
	Input         jsontext.Value `json:"tool_input"`
	InputCamel    jsontext.Value `json:"toolInput"`
	Response      jsontext.Value `json:"tool_response"`
	ResponseCamel jsontext.Value `json:"toolResponse"`
}

// lenient reads what agents write; a text that is not UTF-8 is equal to no line.
var lenient = []json.Options{jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)}

func decode(value []byte, into any) error {
	return json.Unmarshal(value, into, lenient...)
}

func decodeEvent(data []byte) (event, error) {
	var w wireEvent
	if err := decode(data, &w); err != nil {
		return event{}, fmt.Errorf("decoding the event: %w", err)
	}
	e := event{
		name: either(w.Name, w.NameCamel), session: either(w.Session, w.SessionCamel), cwd: w.Cwd,
		agentID: either(w.AgentID, w.AgentIDCamel), source: w.Source, tool: either(w.Tool, w.ToolCamel),
		input: either(w.Input, w.InputCamel), response: either(w.Response, w.ResponseCamel),
	}
	if e.name == "" {
		return e, fmt.Errorf("decoding the event: no hook_event_name")
	}
	e.agent = agentOf(e.name, e.source, w.NameCamel != "" || w.SessionCamel != "", w.Timestamp != nil)
	return e, nil
}

// either returns a, or b if a is empty.
func either[T ~string | ~[]byte](a, b T) T {
	if len(a) == 0 {
		return b
	}
	return a
}

// agentOf tells agents apart. Gemini CLI has names of its own for most events;
// VS Code has those of Claude Code, but tells the time, as Gemini CLI does.
func agentOf(name, source string, camel, timed bool) *agent {
	switch {
	case agents[gemini].kind(name) != unknown && agents[claude].kind(name) == unknown:
		return &agents[gemini]
	case camel:
		return &agents[vscode]
	case !timed:
		return &agents[claude]
	case name == "SessionEnd", name == "SessionStart" && source != "new":
		return &agents[gemini]
	}
	return &agents[vscode]
}

// sessionID returns the session that an event belongs to, "" if it does not
// say.
func (e event) sessionID(given string) string {
	id := either(given, e.session)
	if e.agentID != "" {
		id += "." + e.agentID
	}
	return clean(id)
}

// maxSession is the length of a session id in bytes.
const maxSession = 128

// clean makes a session id of any text: itself if it is one, else what is
// allowed of it and a hash of all.
func clean(id string) string {
	allowed := strings.Map(func(r rune) rune {
		if r < 0x80 && (strings.ContainsRune("._-", r) || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
			return r
		}
		return '-'
	}, id)
	if allowed == id && len(id) <= maxSession {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	hash := hex.EncodeToString(sum[:8])
	return allowed[:min(len(allowed), maxSession-len(hash)-1)] + "-" + hash
}

// object is a JSON object whose members are decoded when they are needed.
type object map[string]jsontext.Value

// text returns the first of the members, which names separates by "|", that is
// a string.
func (o object) text(names string) (string, bool) {
	for name := range strings.SplitSeq(names, "|") {
		var s string
		if v := o[name]; len(v) > 0 && v[0] == '"' && decode(v, &s) == nil {
			return s, true
		}
	}
	return "", false
}

// number returns the first of the members that is a number, or fallback.
func (o object) number(names string, fallback int) int {
	for name := range strings.SplitSeq(names, "|") {
		var n float64
		if v := o[name]; len(v) > 0 && decode(v, &n) == nil && -maxNumber < n && n < maxNumber {
			return int(n)
		}
	}
	return fallback
}

// maxNumber bounds numbers of lines.
const maxNumber = 1 << 31

// flag reports whether one of the members is true, or a number over 1.
func (o object) flag(names string) bool {
	for name := range strings.SplitSeq(names, "|") {
		if string(o[name]) == "true" || o.number(name, 0) > 1 {
			return true
		}
	}
	return false
}

func (o object) object(name string) object { return asObject(o[name]) }

// asObject returns an object, or nil if the value is none.
func asObject(value jsontext.Value) object {
	var out object
	if len(value) > 0 && value[0] == '{' && decode(value, &out) == nil {
		return out
	}
	return nil
}

func (o object) list(name string) []object {
	var out []object
	if v := o[name]; len(v) > 0 && v[0] == '[' && decode(v, &out) == nil {
		return out
	}
	return nil
}
