package setup

import (
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
)

// hookSuffix ends the command of each of our hooks.
const hookSuffix = " hook"

// ownCommand returns the first word of a hook's command if that runs this
// program, from wherever, and what follows the word.
func ownCommand(command string) (word, rest string, ok bool) {
	if !strings.HasSuffix(command, hookSuffix) {
		return "", "", false
	}
	word = firstWord(command)
	return word, command[len(word):], IsNamed(unquote(word)) && strings.HasPrefix(command[len(word):], " ")
}

// firstWord returns the first word of a command as a shell delimits it, with
// its quotes.
func firstWord(command string) string {
	var quote byte
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case quote == 0 && (c == ' ' || c == '\t'):
			return command[:i]
		}
	}
	return command
}

func unquote(word string) string { return strings.Trim(word, `'"`) }

// fixed matches paths that go stale when a program moves. A bare name, or one
// with a variable in it, is what a person wrote to be looked up.
var fixed = regexp.MustCompile(`^(/|[A-Za-z]:[/\\])`)

// movedCommand returns the command of a hook that is ours as it should be now.
func movedCommand(command string, p Program) string {
	word, rest, _ := ownCommand(command)
	if path := unquote(word); !fixed.MatchString(path) || word == p.Quoted || p.isAt(path) {
		return command
	}
	return p.word() + rest
}

// ownServer returns the command of a server that runs this program, from
// wherever, or nil if it runs another or none.
func ownServer(v *hujson.Value) (command *hujson.Value, path string) {
	if command, path = stringIn(v, "command"); !IsNamed(path) {
		return nil, ""
	}
	return command, path
}

// handler is a hook that is ours.
type handler struct {
	command *hujson.Value
	element int           // of the event's array
	at      int           // in the element's own list of hooks, -1 if it is the element
	group   *hujson.Value // the element
	alone   bool          // in its group
}

// handlers returns those hooks of an event that are ours.
func handlers(event *hujson.Value) []handler {
	array, ok := event.Value.(*hujson.Array)
	if !ok {
		return nil
	}
	var found []handler
	for i := range array.Elements {
		group := &array.Elements[i]
		if command, ok := ownHook(group); ok {
			found = append(found, handler{command, i, -1, group, true})
		}
		hooks := hooksOf(group)
		for j := range hooks {
			if command, ok := ownHook(&hooks[j]); ok {
				found = append(found, handler{command, i, j, group, len(hooks) == 1})
			}
		}
	}
	return found
}

func ownHook(v *hujson.Value) (command *hujson.Value, ok bool) {
	command, text := stringIn(v, "command")
	if command == nil {
		return nil, false
	}
	_, _, ok = ownCommand(text)
	return command, ok
}

// hooksOf returns the hooks that a group runs.
func hooksOf(group *hujson.Value) []hujson.Value {
	list := hookList(group)
	if list == nil {
		return nil
	}
	return list.Value.(*hujson.Array).Elements
}

func hookList(group *hujson.Value) *hujson.Value {
	o, ok := group.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range o.Members {
		name, _ := o.Members[i].Name.Value.(hujson.Literal)
		if v := &o.Members[i].Value; name.String() == "hooks" && v.Value.Kind() == '[' {
			return v
		}
	}
	return nil
}
