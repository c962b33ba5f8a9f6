// Redact-oracle compares internal/redact with gitleaks.
//
// Usage:
//
//	redact-oracle recall           secrets made from gitleaks' rules
//	redact-oracle precision PATH…  what is redacted in ordinary files
//
// Recall: for each rule, values are generated from the part of its regular
// expression that captures the secret and put into several contexts; rules that
// look at what is around a secret have forms of their own. What gitleaks finds
// must be gone from the redacted text. Precision: each
// redaction in the files is printed with its line, for people to judge; with
// GITLEAKS=1 in the environment gitleaks' findings in the same files are counted
// beside it, which is slow.
package main

import (
	"fmt"
	"io/fs"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/acode-ls/acode-ls/internal/redact"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: redact-oracle recall | precision PATH…")
	}
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		log.Fatal(err)
	}
	r, err := redact.New(redact.Options{})
	if err != nil {
		log.Fatal(err)
	}
	switch os.Args[1] {
	case "recall":
		if !recall(detector, r) {
			os.Exit(1)
		}
	case "precision":
		if err := precision(detector, r, os.Args[2:]); err != nil {
			log.Fatal(err)
		}
	default:
		log.Fatalf("unknown command %q", os.Args[1])
	}
}

const (
	samples = 20   // values for each rule
	goal    = 0.98 // of gitleaks' findings
)

// A score is how many of gitleaks' findings of one rule were redacted.
type score struct {
	found, hidden int
	missed        []string
}

// recall prints how many of gitleaks' findings are redacted and reports whether
// that reaches the goal.
func recall(detector *detect.Detector, r *redact.Redactor) bool {
	random := rand.New(rand.NewPCG(1, 2))
	scores := map[string]*score{}
	var silent []string
	for _, id := range slices.Sorted(maps.Keys(detector.Config.Rules)) {
		rule := detector.Config.Rules[id]
		if rule.Regex == nil {
			continue
		}
		before := total(scores)
		for range samples {
			path, texts := contexts(random, rule)
			for _, text := range texts {
				judge(detector, r, path, text, scores)
			}
		}
		if total(scores).found == before.found {
			silent = append(silent, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(scores)) {
		if s := scores[id]; s.hidden < s.found {
			fmt.Printf("%-45s %5d of %5d  e.g. %q\n", id, s.hidden, s.found, s.missed[0])
		}
	}
	sum := total(scores)
	fmt.Printf("rules with findings: %d; without: %v\n", len(scores), silent)
	fmt.Printf("recall: %d of %d findings, %.2f %%; mean of rules %.2f %%\n",
		sum.hidden, sum.found, 100*float64(sum.hidden)/float64(sum.found), 100*mean(scores))
	return float64(sum.hidden) >= goal*float64(sum.found)
}

func total(scores map[string]*score) (sum score) {
	for _, s := range scores {
		sum.found += s.found
		sum.hidden += s.hidden
	}
	return sum
}

func mean(scores map[string]*score) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += float64(s.hidden) / float64(s.found)
	}
	return sum / float64(len(scores))
}

// judge counts gitleaks' findings in text and those that are not in the
// redacted text any more.
func judge(detector *detect.Detector, r *redact.Redactor, path, text string, scores map[string]*score) {
	redacted := r.Text(text).Text
	for _, finding := range detector.Detect(detect.Fragment{Raw: text, FilePath: path}) {
		s := scores[finding.RuleID]
		if s == nil {
			s = &score{}
			scores[finding.RuleID] = s
		}
		s.found++
		if strings.Contains(redacted, finding.Secret) {
			s.missed = append(s.missed, text)
		} else {
			s.hidden++
		}
	}
}

// contexts returns values that rule describes in the places where secrets are
// found, and the name of the file.
func contexts(random *rand.Rand, rule config.Rule) (path string, texts []string) {
	if form, ok := forms[rule.RuleID]; ok {
		for _, text := range form.texts {
			texts = append(texts, fill(random, text))
		}
		return form.path, texts
	}
	secret := secret(random, rule)
	name := serviceName(random, rule.Keywords)
	upper := strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	return "values.yaml", []string{
		fmt.Sprintf("A=1\n%s_API_KEY=%s\nB=2\n", upper, secret),
		fmt.Sprintf("{\"id\": 7, \"%s_token\": \"%s\", \"on\": true}\n", name, secret),
		fmt.Sprintf("spec:\n  %s_key: %s\n  other: x\n", name, secret),
		fmt.Sprintf("const %sToken = \"%s\"\n", name, secret),
		fmt.Sprintf("  %s_secret := '%s';\n", name, secret),
		fmt.Sprintf("2024-05-01T12:00:00Z INFO using %s token=%s for the call\n", name, secret),
		fmt.Sprintf("$ %s-cli --%s-token=%s list\n", name, name, secret),
		fmt.Sprintf("set(\"%s_token\", \"%s\")\n", name, secret),
	}
}

// serviceName returns one of the keywords that can be part of a name.
func serviceName(random *rand.Rand, keywords []string) string {
	var names []string
	for _, k := range keywords {
		if strings.Trim(k, "abcdefghijklmnopqrstuvwxyz_-") == "" && len(k) > 4 {
			names = append(names, strings.Trim(k, "_-"))
		}
	}
	if len(names) == 0 {
		return "service"
	}
	return names[random.IntN(len(names))]
}

// precision prints each redaction in the files under paths.
func precision(detector *detect.Detector, r *redact.Redactor, paths []string) error {
	var files, bytes, ours, theirs int
	types := map[string]int{}
	visit := func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || !utf8.Valid(content) {
			return err
		}
		text := string(content)
		files++
		bytes += len(text)
		res := r.Text(text)
		ours += res.Count
		for _, c := range res.Types {
			types[c.Type] += c.Count
		}
		report(path, text, res)
		if os.Getenv("GITLEAKS") != "" {
			theirs += len(detector.Detect(detect.Fragment{Raw: text, FilePath: path}))
		}
		return nil
	}
	for _, path := range paths {
		if err := filepath.WalkDir(path, visit); err != nil {
			return err
		}
	}
	fmt.Printf("%d files, %.1f MB: %d redactions %v; gitleaks: %d findings\n", files, float64(bytes)/1e6, ours, types, theirs)
	return nil
}

func report(path, text string, res redact.Result) {
	before, after := strings.Split(text, "\n"), strings.Split(res.Text, "\n")
	for _, lines := range res.Lines {
		for n := lines.First; n <= min(lines.Last, lines.First+1, len(before)); n++ {
			if n > len(after) {
				break
			}
			i := max(0, strings.Index(after[n-1], "[REDACTED")-60)
			fmt.Printf("%s:%d: %.150q\n\t%.150q\n", path, n, before[n-1][min(i, len(before[n-1])):], after[n-1][i:])
		}
	}
}
