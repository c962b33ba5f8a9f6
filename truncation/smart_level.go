package truncation

import "strings"

// This file finds how severe the entry of a log is.

// severity is the level of a line. Only what is kept first is told apart.
type severity uint8

const (
	noLevel severity = iota
	routine
	warning
	failure
)

// levelColumns is how many bytes of a line are looked at for a level.
const levelColumns = 160

// traceback starts what Python prints of an exception.
const traceback = "Traceback (most recent call last)"

// levelOf returns the level of a line, which is not empty.
func levelOf(line string) severity {
	switch line[0] {
	case '{':
		return levelOfJSON(line)
	case 'I', 'W', 'E', 'F', 'T', 't', '<':
		if v := levelOfStart(line); v != noLevel {
			return v
		}
	}
	line = line[:min(len(line), levelColumns)]
	colored := -1 // where an escape sequence ended
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case isLetter(c):
			end := i + 1
			for end < len(line) && isWord(line[end]) {
				end++
			}
			if v := levelOfWord(line, i, end, colored == i); v != noLevel {
				return v
			}
			i = end
		case c == '\x1b':
			for i++; i < len(line) && !isLetter(line[i]); i++ {
			}
			i++
			colored = i
		default:
			i++
		}
	}
	return noLevel
}

// levelOfStart knows entries by how they start: those of klog, as "E0102
// 15:04:05", those of syslog, as "<3>", and exceptions.
func levelOfStart(line string) severity {
	if len(line) > 6 && line[5] == ' ' {
		if _, rest, ok := cutNumber(line[1:5]); ok && rest == "" {
			switch line[0] {
			case 'I':
				return routine
			case 'W':
				return warning
			case 'E', 'F':
				return failure
			}
		}
	}
	if line[0] == '<' {
		if n, rest, ok := cutNumber(line[1:]); ok && strings.HasPrefix(rest, ">") {
			return [8]severity{failure, failure, failure, failure, warning, routine, routine, routine}[n%8]
		}
	}
	if hasAnyPrefix(line, traceback, "Exception in thread ") || strings.HasPrefix(line, "thread '") && strings.Contains(line, "' panicked at ") {
		return failure
	}
	return noLevel
}

// levelOfWord returns the level that line names from i to end. Capitals are
// enough to know it by; other words also need the place of a level.
func levelOfWord(line string, i, end int, colored bool) severity {
	word := line[i:end]
	if len(word) < 3 || len(word) > maxLevel {
		return noLevel
	}
	var before, after byte = ' ', ' '
	if i > 0 && !colored {
		before = line[i-1]
	}
	if end < len(line) {
		after = line[end]
	}
	if 'A' <= word[1] && word[1] <= 'Z' {
		if isWord(before) || strings.IndexByte("./-$", before) >= 0 || strings.IndexByte("./-(", after) >= 0 {
			return noLevel
		}
		return levelNamed(word)
	}
	switch {
	case before == '[' && (after == ']' || after == ' '):
	case after == ':' && strings.IndexByte(" \t])", before) >= 0 && (end+1 >= len(line) || line[end+1] <= ' '):
	case before == '=' || before == '"':
		key := strings.TrimRight(line[:i], `="`)
		if !strings.HasSuffix(key, "level") && !strings.HasSuffix(key, "lvl") && !strings.HasSuffix(key, "severity") {
			return noLevel
		}
	case after == ' ' && '0' <= line[0] && line[0] <= '9' && strings.Trim(line[:i], "0123456789 ") == "": // as of npm
	default:
		return noLevel
	}
	return levelNamed(word)
}

// maxLevel is the length of the longest name of a level.
const maxLevel = len("INFORMATION")

// levelNamed returns the level that has a name, in any case.
func levelNamed(name string) severity {
	var upper [maxLevel]byte
	if len(name) > maxLevel {
		return noLevel
	}
	for i := range len(name) {
		upper[i] = name[i]
		if 'a' <= upper[i] && upper[i] <= 'z' {
			upper[i] -= 'a' - 'A'
		}
	}
	switch string(upper[:len(name)]) {
	case "FATAL", "FATA", "FTL", "ERROR", "ERRO", "ERR", "CRITICAL", "CRIT", "PANIC", "PANI", "DPANIC",
		"EMERGENCY", "EMERG", "ALERT", "SEVERE", "FAILURE", "FAILED", "FAIL":
		return failure
	case "WARNING", "WARN", "WRN":
		return warning
	case "INFORMATION", "INFO", "INF", "NOTICE", "LOG", "DEBUG", "DEBU", "DBUG", "DBG", "TRACE", "TRAC", "TRCE", "TRC",
		"VERBOSE", "SILLY", "CONFIG", "FINE", "FINER", "FINEST", "PASSED", "PASS":
		return routine
	}
	return noLevel
}

// levelOfJSON returns the level of an entry that is an object.
func levelOfJSON(line string) severity {
	for _, key := range []string{`"level"`, `"severity"`, `"lvl"`, `"levelname"`, `"log.level"`, `"@l"`} {
		_, value, found := strings.Cut(line, key)
		if !found {
			continue
		}
		value = strings.TrimLeft(value, ": \t")
		if word, quoted := strings.CutPrefix(value, `"`); quoted {
			word, _, _ = strings.Cut(word, `"`)
			return levelNamed(word)
		}
		switch n, _, ok := cutNumber(value); {
		case !ok:
			return noLevel
		case n >= 50: // the numbers of bunyan and pino
			return failure
		case n >= 40:
			return warning
		}
		return routine
	}
	return noLevel
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' }
