package main

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

// A form is how a secret stands that gitleaks knows by what is around it. $ is
// a random text of letters and digits, # one in Base64.
type form struct {
	path  string
	texts []string
}

var forms = map[string]form{
	"curl-auth-header": {"run.sh", []string{
		"curl -H \"Authorization: Bearer $\" https://a.example\n", "curl -X POST -H 'Authorization: Basic #' https://a.example\n",
		"curl --header \"X-Api-Key: $\" https://a.example\n", "curl -H \"Authorization: Token $\" \\\n  https://a.example\n",
	}},
	"curl-auth-user": {"run.sh", []string{
		"curl -u bob:$ https://a.example\n", "curl -X POST --user \"bob:$\" https://a.example\n", "curl \\\n  -u '$:$' \\\n  https://a.example\n",
	}},
	"kubernetes-secret-yaml": {"a.yaml", []string{
		"apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  password: #\n", "apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  user: #\n",
		"data:\n  user: #\nkind: Secret\n",
	}},
	"private-key": {"a.pem", []string{
		"-----BEGIN RSA PRIVATE KEY-----\n##\n##\n-----END RSA PRIVATE KEY-----\n", "key = \"-----BEGIN PRIVATE KEY-----\\n##\\n##\\n-----END PRIVATE KEY-----\\n\"\n",
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n##\n##\n=#\n-----END PGP PRIVATE KEY BLOCK-----\n",
		"  -----BEGIN OPENSSH PRIVATE KEY-----\n  ##\n  ##\n  -----END OPENSSH PRIVATE KEY-----\n",
	}},
	"nuget-config-password":   {"nuget.config", []string{"<add key=\"ClearTextPassword\" value=\"$\" />\n", "<add key=\"Password\" value=\"$\" />\n"}},
	"hashicorp-tf-password":   {"main.tf", []string{"administrator_login_password = \"$\"\n", "  password = \"$\"\n"}},
	"freemius-secret-key":     {"a.php", []string{"'secret_key' => 'sk_$XXXXX',\n"}},
	"slack-webhook-url":       {"a.sh", []string{"https://hooks.slack.com/services/T0123ABCD/B0123ABCD/$\n", "url: hooks.slack.com/workflows/$/$\n"}},
	"microsoft-teams-webhook": {"a.sh", []string{"https://acme.webhook.office.com/webhookb2/01234567-0123-4567-89ab-0123456789ab@01234567-0123-4567-89ab-0123456789ab/IncomingWebhook/0123456789abcdef0123456789abcdef/01234567-0123-4567-89ab-0123456789ab\n"}},
	"sidekiq-sensitive-url":   {"Gemfile", []string{"source 'https://0a1b2c3d:4e5f6a7b@gems.contribsys.com/'\n"}},
	"jwt":                     {"a.txt", []string{"token eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ#.#\n", "{\"jwt\": \"eyJ#.eyJ#.#\"}\n", "Cookie: session=eyJ#.eyJ#.#; a=b\n"}},
	"sonar-api-token":         {"a.properties", []string{"sonar.login=squ_$$\n", "SONAR_TOKEN=$$\n"}},
}

// fill replaces the marks of a form.
func fill(random *rand.Rand, text string) string {
	const chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	var b strings.Builder
	for _, c := range text {
		n := map[rune]int{'$': 24, '#': 32}[c]
		if n == 0 {
			b.WriteRune(c)
		}
		for range n {
			b.WriteByte(chars[random.IntN(len(chars))])
		}
	}
	return b.String()
}

// secret returns a value that rule describes.
func secret(random *rand.Rand, rule config.Rule) string {
	tree, err := syntax.Parse(rule.Regex.String(), syntax.Perl)
	if err != nil {
		panic(err) // the rule compiled
	}
	if group := firstGroup(tree); group != nil {
		tree = group
	}
	var b strings.Builder
	write(&b, random, tree)
	return strings.TrimSpace(b.String())
}

// firstGroup returns the first group that captures, or nil.
func firstGroup(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return re
	}
	for _, sub := range re.Sub {
		if group := firstGroup(sub); group != nil {
			return group
		}
	}
	return nil
}

// write writes a random text that re matches. Characters are printable ASCII
// where the expression allows it.
func write(b *strings.Builder, random *rand.Rand, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(pick(random, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune(pick(random, []rune{'0', '9', 'a', 'z'}))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			write(b, random, sub)
		}
	case syntax.OpAlternate:
		write(b, random, re.Sub[random.IntN(len(re.Sub))])
	case syntax.OpQuest:
		if random.IntN(2) == 0 {
			write(b, random, re.Sub[0])
		}
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		for range times(random, re) {
			write(b, random, re.Sub[0])
		}
	}
}

// times returns how often a repetition is written out: a little more than it
// must.
func times(random *rand.Rand, re *syntax.Regexp) int {
	least, most := re.Min, re.Max
	switch re.Op {
	case syntax.OpStar:
		least, most = 0, 8
	case syntax.OpPlus:
		least, most = 1, 12
	}
	if most < 0 {
		most = least + 12
	}
	return least + random.IntN(min(most-least, 40)+1)
}

// pick returns a character of a class that is given by pairs of bounds: a
// letter or digit more often than its share.
func pick(random *rand.Rand, class []rune) rune {
	var plain, other []rune
	for i := 0; i < len(class); i += 2 {
		for c := max(class[i], ' '); c <= min(class[i+1], '~'); c++ {
			if '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
				plain = append(plain, c)
			} else {
				other = append(other, c)
			}
		}
	}
	switch {
	case len(plain) > 0 && (len(other) == 0 || random.IntN(20) > 0):
		return plain[random.IntN(len(plain))]
	case len(other) > 0:
		return other[random.IntN(len(other))]
	}
	return class[0]
}
