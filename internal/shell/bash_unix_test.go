//go:build unix

package shell_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acode-ls/acode-ls/internal/shell"
	"github.com/acode-ls/acode-ls/internal/text"
)

// grammar are the words that commands are made of. None changes a file: uniq would
// write to a second operand.
var grammar = []string{
	"cat ", "cat -n ", "head ", "head -n 2 ", "head -n -2 ", "head -3 ", "tail ", "tail -n 2 ", "tail -n +2 ", "tail -2 ",
	"sed -n '2,4p' ", "sed -n '1p;3,$p' ", "sed 2q ", "sed -n '4,2p;$p' ", "sed -n -e 1p -e '2,+1p' ", "nl -ba ", "nl ",
	"grep -n p ", "grep -n -A1 -B1 x ", "grep -rn a ", "grep -Hn e ", "grep p ", "grep -vn zzz ",
	"a.go ", "sub/b.go ", "c.txt ", "d.txt ", "empty ", "'sp ace' ", "\"it's-1-x\" ", "e.txt ", "b.go ", "../a.go ", "- ", "nowhere ", ". ",
	"| ", "; ", "&& ", "|| ", "\n", "2>/dev/null ", "2>&1 ", "> out ", "< a.go ",
	"cd sub ", "cd .. ", "echo --- ", "echo a b ", "echo -n x ", "printf y ", "true ", "false ", "ls ", "wc -l ", "sort ", "| uniq ;", "$X ", "*.go ", "! ", "{ ", "} ", "# ", "\\", "'", "\"", "-n ", "export X=a.go ",
	"if true; then ", "fi ", "for f in a.go; do ", "done ", "time ", "eval ", "cut -c1-3 ", "tac ", "rev ",
}

var seeds = []string{
	"cat a.go", "cat a.go e.txt", "cat sub/b.go a.go", "cat -n a.go | sed -n '2,4p'", "nl -ba a.go | tail -2",
	"head -3 a.go sub/b.go empty c.txt", "tail -n +2 a.go sub/b.go", "cd sub && cat b.go ../a.go", "cat a.go | grep -n p",
	"grep -rn a . | sort", "grep -n -A1 x sub/b.go; head -1 a.go", "echo --- ; cat d.txt ; echo a b", "printf y ; cat a.go",
	"ls ; tail -2 a.go", "sed -n '1p;3,$p' sub/b.go && cat a.go", "cat nowhere a.go || cat a.go", "nl a.go | head -3",
	"tac a.go", "cat a.go | sort | uniq", "false && cat a.go", "sed 2q e.txt | cat -n | nl", "cat e.txt e.txt | tail -n 2",
}

// oracle runs commands and holds every line that is said to be shown against
// the same command run on files whose lines all tell where they are.
type oracle struct {
	bash, dir, twin string
	tags            map[string]bool
}

func newOracle(t testing.TB) oracle {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("finding a shell to compare with: %v", err)
	}
	files := map[string]string{"e.txt": "p\n}\n}\n}\np\n}\n"}
	for name, content := range sources {
		files[name] = content
	}
	return oracle{bash, write(t, files), write(t, tagged(files)), tagsOf(files)}
}

// test holds the output of command, and its first cut bytes, against the truth.
// It returns how many lines were printed and how many claimed.
func (o oracle) test(t *testing.T, command string, cut int) (printed, claimed int) {
	t.Helper()
	output, ok := o.run(t, o.dir, command)
	want, same := o.run(t, o.twin, command)
	lines, told := strings.SplitAfter(output, "\n"), strings.SplitAfter(want, "\n")
	if !ok || !same || len(lines) != len(told) {
		return 0, 0 // it failed, or what it prints depends on the tags
	}
	claimed = o.check(t, command, output, told)
	at := cut % (len(output) + 1)
	o.check(t, command, output[:at], told[:strings.Count(output[:at], "\n")])
	return strings.Count(output, "\n"), claimed
}

func TestAgainstBash(t *testing.T) {
	o := newOracle(t)
	for i, seed := range seeds {
		if printed, claimed := o.test(t, seed, i*37); printed > 0 && claimed == 0 && !strings.HasPrefix(seed, "tac") && !strings.Contains(seed, "||") && !strings.HasPrefix(seed, "printf") {
			t.Errorf("%q prints %d lines and shows none", seed, printed)
		}
	}
}

// FuzzShown makes commands of the grammar.
func FuzzShown(f *testing.F) {
	o := newOracle(f)
	f.Add([]byte{0, 23}, uint16(5))
	f.Add([]byte{0, 23, 36, 11}, uint16(9))
	f.Add([]byte{44, 37, 3, 25, 24, 37, 46, 37, 0, 27}, uint16(30))
	f.Fuzz(func(t *testing.T, choices []byte, cut uint16) {
		var command strings.Builder
		for _, c := range choices[:min(len(choices), 16)] {
			command.WriteString(grammar[int(c)%len(grammar)])
		}
		o.test(t, command.String(), int(cut))
	})
}

// check fails if a line of output is claimed to be another than told says. The
// last line may be cut off and is not told of. It returns how many are claimed.
func (o oracle) check(t *testing.T, command, output string, told []string) (claimed int) {
	t.Helper()
	for i, claim := range shell.Claims(o.dir, command, output) {
		if claim == "" || i >= len(told) {
			continue
		}
		claimed++
		path, err := filepath.EvalSymlinks(claim[:strings.LastIndex(claim, ":")])
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(o.dir, path)
		if err != nil {
			t.Fatal(err)
		}
		tag := fmt.Sprintf("#%s%s#", name, claim[strings.LastIndex(claim, ":"):])
		if o.tags[tag] && !strings.Contains(told[i], tag) {
			t.Errorf("%q prints %q, of which line %d is claimed to be %s; on tagged files that is %q", command, output, i+1, tag, told[i])
		}
	}
	return claimed
}

// run runs command and reports whether it ended with status 0.
func (o oracle) run(t *testing.T, dir, command string) (string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, o.bash, "--norc", "--noprofile", "-c", command)
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
	out, err := c.Output()
	if removal := os.Remove(filepath.Join(dir, "out")); removal == nil {
		return "", false
	}
	return string(out), err == nil
}

// tagged returns files whose lines end with their tags.
func tagged(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, content := range files {
		lines := text.Split(content)
		var b strings.Builder
		for n := 1; n <= lines.Len(); n++ {
			line, full := lines.Line(n), lines.Full(n)
			b.WriteString(line)
			if line != "" {
				fmt.Fprintf(&b, " #%s:%d#", name, n)
			}
			b.WriteString(full[len(line):])
		}
		out[name] = b.String()
	}
	return out
}

// tagsOf returns the tags there are; empty lines have none, so that what
// depends on their being empty stays as it is.
func tagsOf(files map[string]string) map[string]bool {
	tags := map[string]bool{}
	for name, content := range files {
		lines := text.Split(content)
		for n := 1; n <= lines.Len(); n++ {
			if lines.Line(n) != "" {
				tags[fmt.Sprintf("#%s:%d#", name, n)] = true
			}
		}
	}
	return tags
}

// TestLinks sees that ".." after a link is what the system makes of it, while
// cd goes by names.
func TestLinks(t *testing.T) {
	dir := write(t, map[string]string{"far/deep/x": "far\n", "y": "near\n", "far/y": "far y\n"})
	if err := os.Symlink(filepath.Join("far", "deep"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"cat link/../y":             "far y\n",
		"cd link && cat ../y":       "far y\n",
		"cd link && cd .. && cat y": "near\n",
	} {
		pieces := shell.Shown(dir, command, want)
		if len(pieces) != 1 || pieces[0].Text != want {
			t.Errorf("Shown(%q) = %v, want %q", command, pieces, want)
			continue
		}
		if real, err := filepath.EvalSymlinks(pieces[0].Path); err != nil || strings.HasSuffix(real, "far/y") != (want == "far y\n") {
			t.Errorf("Shown(%q) names %s (%v)", command, real, err)
		}
	}
}
