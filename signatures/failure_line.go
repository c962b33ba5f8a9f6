package signatures

import (
	"bytes"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// This file decides whether a line tells of a failure. It wants a form that
// some tool is known to write; a word like "error" alone is not enough.

// pytest follows the reports of pytest, in which lines that begin with E say
// what was wrong. The zero value stands before them.
type pytest struct {
	reports bool // between "= FAILURES =" and the summary
	inE     bool // the line before began with E
}

// isFailure reports whether the line, which comes after those asked about
// before, tells of a failure. Of a run of lines with E, the first does. found
// is whether a keyword is known to be in the line.
func (t *pytest) isFailure(line []byte, found bool) bool {
	isE := t.reports && bytes.HasPrefix(line, []byte("E  "))
	isFirst := isE && !t.inE
	t.inE = isE
	if isE {
		return isFirst
	}
	if rule := bytes.TrimSpace(line); bytes.HasPrefix(rule, []byte("=====")) && bytes.HasSuffix(rule, []byte("=====")) {
		title := string(bytes.Trim(rule, "= "))
		t.reports = title == "FAILURES" || title == "ERRORS"
		if t.reports {
			return false
		}
	}
	return (found || nextKeyword(line) >= 0) && isFailure(strings.TrimSpace(stripEscapes(line)))
}

// isFailure reports whether a line without escape sequences and outer white
// space tells of a failure.
func isFailure(line string) bool {
	if line == "" || isPassed(line) {
		return false
	}
	if level := recordLevel(line); level != levelNone {
		return level == levelError || strings.HasSuffix(line, "BUILD FAILURE")
	}
	return hasFailureStart(line) || hasFailureEnd(line) || hasFailureWord(line)
}

// isPassed knows how tools mark what went well, whatever its name is.
func isPassed(line string) bool {
	if passedStarts[line[0]] {
		if start := passedStart(line); start != "" {
			return start != "> " || !strings.HasSuffix(line, " FAILED") // a task of Gradle
		}
	}
	for _, end := range []string{" ... ok", " PASSED", " passed", " ... ignored", " SKIPPED"} {
		if strings.HasSuffix(line, end) {
			return true
		}
	}
	return false
}

var passedStarts = bytesOf("-=oPp\xe2+$>")

func passedStart(line string) string {
	for _, start := range []string{"--- PASS", "--- SKIP", "=== RUN", "=== PAUSE", "=== CONT", "=== NAME", "ok ", "ok\t", "PASS", "Passed ", "✓", "✔", "√", "+ ", "$ ", "> "} {
		if strings.HasPrefix(line, start) {
			return start
		}
	}
	return ""
}

type level int

const (
	levelNone  level = iota
	levelOther       // below error
	levelError
)

// recordLevel returns the level of a record of a log: that of a key like
// "level", or one that stands as a word of its own, in capitals or brackets,
// near the start of the line.
func recordLevel(line string) level {
	const near = 100
	if isKlog(line) {
		return map[byte]level{'E': levelError, 'F': levelError, 'I': levelOther, 'W': levelOther}[line[0]]
	}
	for start, end := nextWord(line, 0); start < end; start, end = nextWord(line, end) {
		word := line[start:end]
		if isLevelKey(word) {
			if l := levelOf(valueAfter(line[end:])); l != levelNone {
				return l
			}
			continue
		}
		alone := (start == 0 || strings.IndexByte(" \t[(|<", line[start-1]) >= 0) &&
			(end == len(line) || strings.IndexByte(" \t])|>:", line[end]) >= 0)
		if !alone || start >= near || word[0] > 'Z' && (start == 0 || line[start-1] != '[' || end == len(line) || line[end] != ']') {
			continue
		}
		isUpper := len(word) > 1 && word[1] <= 'Z'
		if !isUpper && (start == 0 || line[start-1] != '[') {
			continue
		}
		switch l := levelOf(word); {
		case l == levelOther, l == levelError && !isNone(line, start, end):
			return l
		}
	}
	return levelNone
}

// nextWord returns where the first word at or after i starts and ends; both
// are the length of line if there is none.
func nextWord(line string, i int) (start, end int) {
	for i < len(line) && !isWord(line[i]) {
		i++
	}
	start = i
	for i < len(line) && isWord(line[i]) {
		i++
	}
	return start, i
}

func isLevelKey(word string) bool {
	switch len(word) {
	case len("lvl"):
		return strings.EqualFold(word, "lvl")
	case len("level"):
		return strings.EqualFold(word, "level")
	case len("severity"):
		return strings.EqualFold(word, "severity")
	case len("levelname"):
		return strings.EqualFold(word, "levelname")
	}
	return false
}

// valueAfter returns the word after a key: of "=info", `":"info"`, ": info".
func valueAfter(s string) string {
	value := strings.TrimLeft(s, "\"' ")
	if value == "" || value[0] != '=' && value[0] != ':' {
		return ""
	}
	value = strings.TrimLeft(value[1:], "\"' ")
	return value[:wordLength(value)]
}

// isKlog reports whether line starts as records of Kubernetes do: "E0102 15:04:05".
func isKlog(line string) bool {
	if len(line) < len("E0102 15:04:05") || strings.IndexByte("EFIW", line[0]) < 0 {
		return false
	}
	for i, c := range []byte("0102 15:04:05") {
		if is := line[1+i]; isDigit(c) != isDigit(is) || !isDigit(c) && c != is {
			return false
		}
	}
	return true
}

func levelOf(word string) level {
	var buffer [len("information")]byte
	if len(word) > len(buffer) {
		return levelNone
	}
	switch string(folded(buffer[:], word)) {
	case "error", "err", "eror", "fatal", "critical", "crit", "panic", "dpanic", "severe", "emerg", "alert":
		return levelError
	case "info", "information", "inf", "debug", "dbg", "debg", "trace", "trce", "verbose", "notice", "warn", "wrn", "warning":
		return levelOther
	}
	return levelNone
}

// folded returns word in lower case, in buffer, which has room for it.
func folded(buffer []byte, word string) []byte {
	n := copy(buffer, word)
	for i, c := range buffer[:n] {
		if 'A' <= c && c <= 'Z' {
			buffer[i] += 'a' - 'A'
		}
	}
	return buffer[:n]
}

// hasFailureStart knows the first words of lines that tell of failures.
func hasFailureStart(line string) bool {
	if failureStarts[line[0]] && beginsFailure(line) {
		return true
	}
	if rest, ok := strings.CutPrefix(line, "● "); ok { // of Jest; systemd has it before units
		return strings.Contains(rest, " › ")
	}
	if _, rest, ok := strings.Cut(line, ": *** "); ok && strings.HasPrefix(line, "make") {
		return rest != ""
	}
	return isGoError(line)
}

var failureStarts = bytesOf("FnTfEU\xe2\xc3pKASe")

func beginsFailure(line string) bool {
	for _, start := range []string{
		"FAIL\t", "FAILURES!", "not ok ", "npm ERR!", "npm error ", "Traceback (most recent call last)", "Failed ", "fail: ", "Failure/Error: ",
		"Exception in thread ", "Unhandled exception", "Uncaught ", "✕ ", "✖ ", "✗ ", "✘ ", "× ", "❌ ", "fatal: ", "fatal error: ",
		"panic: ", "FAILED", "Killed", "Aborted", "Segmentation fault", "error Command failed", "An error occurred",
	} {
		if strings.HasPrefix(line, start) && !strings.Contains(line, "# TODO") && !strings.Contains(line, "# SKIP") {
			word := strings.TrimRight(start, ": ")
			return !isNone(line, 0, len(word))
		}
	}
	return false
}

// hasFailureEnd knows the last words of lines that tell of failures.
func hasFailureEnd(line string) bool {
	for _, end := range []string{
		": no such file or directory", ": permission denied", "command not found", "(core dumped)", " killed", "segmentation fault",
	} {
		if hasSuffixFolded(line, end) {
			return true
		}
	}
	line = strings.TrimRight(line, ".!")
	return hasSuffixFolded(line, " failed") && !isNone(line, len(line)-len("failed"), len(line))
}

func hasSuffixFolded(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// isGoError reports whether line is a complaint of Go's compiler or vet:
// "./x.go:3:5: undefined: y".
func isGoError(line string) bool {
	line = strings.TrimPrefix(line, "vet: ")
	file, rest, ok := strings.Cut(line, ".go:")
	if !ok || strings.ContainsAny(file, " \t\"") {
		return false
	}
	row := digits(rest)
	if row == 0 || !strings.HasPrefix(rest[row:], ":") {
		return false
	}
	rest = rest[row+1:]
	column := digits(rest)
	return column > 0 && strings.HasPrefix(rest[column:], ": ")
}

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// hasFailureWord looks at each place of a word that failures are told with.
func hasFailureWord(line string) bool {
	for start, end := nextWord(line, 0); start < end; start, end = nextWord(line, end) {
		if isFailureWord(line, start, end) {
			return true
		}
	}
	return false
}

// isFailureWord judges the word between start and end by what is around it.
func isFailureWord(line string, start, end int) bool {
	var buffer [len("segmentation")]byte
	word, before, after := line[start:end], line[:start], line[end:]
	if len(word) > len(buffer) {
		return isExceptionName(line, start, end)
	}
	isUpper := word[0] <= 'Z' && word[len(word)-1] <= 'Z'
	switch string(folded(buffer[:], word)) {
	case "error":
		return isError(line, start, end)
	case "errors", "failures", "failing":
		return isCounted(before, after)
	case "failure":
		return isCounted(before, after) || isUpper && strings.HasPrefix(after, ":")
	case "failed":
		return isCounted(before, after) ||
			(strings.HasPrefix(after, ": ") || isUpper && atEnd(after) || hasWordAfter(after, "to", "with")) &&
				atBoundary(before) && !isNone(line, start, end)
	case "fail":
		return isUpper && atBoundary(before) && (strings.HasPrefix(before, "---") || after == "" || after[0] == ':' || before == "" && atEnd(after)) &&
			!isNone(line, start, end)
	case "panic":
		return atBoundary(before) && strings.HasPrefix(after, ": ")
	case "panicked":
		return strings.HasPrefix(after, " at ")
	case "fatal":
		return atBoundary(before) && (strings.HasPrefix(after, ": ") || hasWordAfter(after, "error"))
	case "undefined":
		return strings.HasPrefix(after, " reference to ")
	case "signal":
		return strings.HasPrefix(after, ": killed") || strings.HasPrefix(after, ": segmentation")
	case "segmentation":
		return hasWordAfter(after, "fault")
	case "killed":
		return digits(lastField(before)) > 0
	case "exit", "exited":
		return isExit(after)
	}
	return isExceptionName(line, start, end)
}

// lastField returns the last word between white space of s.
func lastField(s string) string {
	s = strings.TrimRight(s, " \t")
	return s[strings.LastIndexAny(s, " \t")+1:]
}

// isError judges the word "error", however it is written.
func isError(line string, start, end int) bool {
	before, after := line[:start], line[end:]
	if !atBoundary(before) || isNone(line, start, end) {
		return false
	}
	switch {
	case strings.HasPrefix(after, ": "), after == ":":
		return true
	case isCounted(before, after):
		return true
	case strings.HasPrefix(after, "[") && len(after) > 2 && isDigit(after[2]): // rustc: error[E0308]
		return true
	case isErrorCode(after): // error TS2304, error CS1002
		return true
	case strings.HasPrefix(after, "  ") && isPosition(before): // ESLint: 3:5  error  …
		return true
	case line[start:end] == "Error" && strings.HasSuffix(before, "] ") && digits(strings.TrimPrefix(after, " ")) > 0: // make
		return true
	case hasWordAfter(after, "occurred"):
		return true
	}
	return hasSuffixFolded(before, "syntax ") && (after == "" || hasWordAfter(after, "near", "at", "in", "on"))
}

// isErrorCode reports whether s is a code as compilers number their errors
// with, after a space: " TS2304:".
func isErrorCode(s string) bool {
	code, ok := strings.CutPrefix(s, " ")
	if !ok {
		return false
	}
	letters := 0
	for letters < len(code) && 'A' <= code[letters] && code[letters] <= 'Z' {
		letters++
	}
	return 1 <= letters && letters <= 6 && digits(code[letters:]) >= 3
}

// isPosition reports whether s is "line:column" with white space around.
func isPosition(s string) bool {
	row, column, ok := strings.Cut(strings.TrimSpace(s), ":")
	return ok && row != "" && column != "" && digits(row) == len(row) && digits(column) == len(column)
}

// isExceptionName reports whether the word, perhaps with a package before it,
// is the name of an error as Python, Java and JavaScript print it, with its
// message after a colon or, at the start of a line, alone.
func isExceptionName(line string, start, end int) bool {
	name, after := line[start:end], line[end:]
	if !strings.HasSuffix(name, "Error") && !strings.HasSuffix(name, "Exception") || name[0] < 'A' || 'Z' < name[0] || !atBoundary(line[:start]) {
		return false
	}
	from := start
	for from > 0 && (isWord(line[from-1]) || line[from-1] == '.' || line[from-1] == '$') {
		from--
	}
	switch word := strings.TrimSpace(line[:from]); word {
	case "except", "catch", "raises", "class":
		return false
	}
	return strings.HasPrefix(after, ": ") || strings.HasPrefix(after, " [ERR_") || after == "" && (from == 0 || strings.HasPrefix(line, "Caused by: "))
}

// isExit reports whether s, after "exit" or "exited", tells of a status that is
// not zero.
func isExit(s string) bool {
	s = strings.TrimPrefix(strings.TrimPrefix(s, " with"), " non-zero")
	rest, isCode := strings.CutPrefix(s, " code")
	if !isCode {
		if rest, isCode = strings.CutPrefix(s, " status"); !isCode {
			return false
		}
	}
	rest = strings.TrimLeft(rest, ":= ")
	n := digits(rest)
	return n > 0 && strings.Trim(rest[:n], "0") != "" && (n == len(rest) || !isWord(rest[n]))
}

// isCounted reports whether a number above zero stands before the word, "2
// errors", or after it, "errors: 2".
func isCounted(before, after string) bool {
	number := strings.TrimSuffix(before, " ")
	n := len(number)
	for n > 0 && isDigit(number[n-1]) {
		n--
	}
	if number != before && n < len(number) && (n == 0 || !isWord(number[n-1]) && number[n-1] != '.' && number[n-1] != '-') {
		return strings.Trim(number[n:], "0") != "" && (after == "" || strings.IndexByte(" ,.;:)]!", after[0]) >= 0)
	}
	if after == "" || after[0] != ':' && after[0] != '=' {
		return false
	}
	value := strings.TrimLeft(after[1:], " ")
	n = digits(value)
	return n > 0 && strings.Trim(value[:n], "0") != "" && (n == len(value) || strings.IndexByte(" ,;)]", value[n]) >= 0 || value[n:] == ".")
}

// isNone reports whether what is around the word says that there is none:
// "no errors", "errors: 0", "error=nil".
func isNone(line string, start, end int) bool {
	before := strings.TrimRight(line[:start], " ")
	word := before
	for word != "" && isWord(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	var buffer [len("undefined")]byte
	switch string(folded(buffer[:], before[len(word):])) {
	case "0", "no", "without", "zero", "not", "never", "if", "on":
		return true
	}
	after := strings.TrimLeft(line[end:], "\": =\t")
	switch string(folded(buffer[:], after[:wordLength(after)])) {
	case "0", "none", "nil", "null", "false", "undefined":
		return true
	case "no": // but not "error: no such file"
		return len(after) == len("no")
	}
	return strings.HasPrefix(after, "<nil>") || after == "" && strings.HasSuffix(line, "=")
}

func wordLength(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return n
}

// atBoundary reports whether a word after before stands for itself, not as a
// part of a name, path, flag or string.
func atBoundary(before string) bool {
	return before == "" || strings.IndexByte(" \t[(|<:;,>*=#!", before[len(before)-1]) >= 0 || before[len(before)-1] >= utf8.RuneSelf ||
		strings.HasSuffix(before, ".") && !strings.HasSuffix(before, " .")
}

func atEnd(after string) bool {
	return after == "" || strings.IndexByte(" \t:,.!)]", after[0]) >= 0
}

// hasWordAfter reports whether s starts with a space and one of words.
func hasWordAfter(s string, words ...string) bool {
	s, ok := strings.CutPrefix(s, " ")
	if !ok {
		return false
	}
	first := s[:wordLength(s)]
	for _, word := range words {
		if first == word {
			return true
		}
	}
	return false
}

// stripEscapes returns line without the escape sequences of terminals and
// other control characters than tabs. It may share memory with line.
func stripEscapes(line []byte) string {
	if !hasControl(line) {
		return view(line)
	}
	clean := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == 0x1b:
			i = escapeEnd(line, i) - 1
		case c < ' ' && c != '\t' || c == 0x7f:
		default:
			clean = append(clean, c)
		}
	}
	return string(clean)
}

func hasControl(line []byte) bool {
	for _, c := range line {
		if c < ' ' && c != '\t' || c == 0x7f {
			return true
		}
	}
	return false
}

// view returns p as a string without a copy, for use before p changes.
func view(p []byte) string { return unsafe.String(unsafe.SliceData(p), len(p)) }

// escapeEnd returns the end of the escape sequence at i: "ESC [ 31 m",
// "ESC ] 0;title BEL" or "ESC c".
func escapeEnd(line []byte, i int) int {
	i++
	if i == len(line) {
		return i
	}
	introducer := line[i]
	i++
	switch introducer {
	case '[':
		for i < len(line) && (line[i] < '@' || '~' < line[i]) {
			i++
		}
		return min(i+1, len(line))
	case ']':
		for ; i < len(line); i++ {
			if line[i] == 0x07 || line[i] == '\\' && line[i-1] == 0x1b {
				return i + 1
			}
		}
	}
	return i
}
