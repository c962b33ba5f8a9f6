package redact

import "strings"

// This file is the table of what is known of secrets. The facts come from the
// services' documentation; docs/redaction.md lists the types for users.

// Types of secrets, as they stand in placeholders. A key of a service without
// a type of its own is an API_KEY.
const (
	apiKey           = "API_KEY"
	anthropicKey     = "ANTHROPIC_KEY"
	awsAccessKey     = "AWS_ACCESS_KEY"
	awsSecretKey     = "AWS_SECRET_KEY"
	azureSecret      = "AZURE_SECRET"
	basicAuth        = "BASIC_AUTH"
	bearerToken      = "BEARER_TOKEN"
	connectionString = "CONNECTION_STRING"
	githubToken      = "GITHUB_TOKEN"
	gitlabToken      = "GITLAB_TOKEN"
	googleKey        = "GOOGLE_API_KEY"
	jsonWebToken     = "JWT"
	npmToken         = "NPM_TOKEN"
	openAIKey        = "OPENAI_KEY"
	password         = "PASSWORD"
	privateKey       = "PRIVATE_KEY"
	pypiToken        = "PYPI_TOKEN"
	secretValue      = "SECRET"
	slackToken       = "SLACK_TOKEN"
	stripeKey        = "STRIPE_KEY"
	webhook          = "WEBHOOK_URL"
)

// kind is what is to be done where a keyword was found.
type kind uint8

const (
	tokenKind       kind = iota // the start of a token
	serviceKind                 // a service's name in the name of a variable
	nameKind                    // part of the name of a key: its value is a secret if it looks random
	passwordKind                // the name of a password: its value is a secret
	urlKind                     // ://
	pemKind                     // a PEM block
	bearerKind                  // an authorization header's scheme
	basicKind                   //
	insideKind                  // a mark inside a token
	placeholderKind             // what this package wrote
	curlKind                    // a command that takes user:password
	netrcKind                   // a line of .netrc
	kubernetesKind              // a Secret resource
	nugetKind                   // a configured password
	jwtKind                     // eyJ
)

// words are the keywords that are not of one service. ␣ stands for a space.
var words = []struct {
	kind  kind
	texts string
}{
	{nameKind, "key token auth access api credential creds sig="},
	{passwordKind, "password passwd passwort passphrase pwd pass secret"},
	{urlKind, "://"},
	{pemKind, "begin"},
	{bearerKind, "bearer␣ token␣"},
	{basicKind, "basic␣"},
	{insideKind, "atlasv1 _mmk t3blbkfj " + each("0123456789", "", "q~")},
	{placeholderKind, "[redacted:␣"},
	{curlKind, "curl␣"},
	{netrcKind, "machine␣"},
	{kubernetesKind, "kind:␣secret"},
	{jwtKind, "eyj"},
}

// each returns before+c+after for each byte c of chars.
func each(chars, before, after string) string {
	var b strings.Builder
	for i := range len(chars) {
		b.WriteString(before + chars[i:i+1] + after + " ")
	}
	return b.String()
}

// A token is a secret that is known by how it starts.
type token struct {
	prefixes string   // separated by spaces; letter case counts only where there are nothing but letters and digits
	body     alphabet // what follows
	min      int      // how many characters follow at least
	kind     string
	entropy  float64 // of the body, in bits per character, at least
	first    string  // if not empty, the characters of which one follows
}

// starts returns the keywords for a token.
func (t token) starts() []string {
	prefixes := strings.Fields(t.prefixes)
	if t.first == "" {
		return prefixes
	}
	var starts []string
	for _, p := range prefixes {
		starts = append(starts, strings.Fields(each(t.first, p, ""))...)
	}
	return starts
}

const alnumChars = "0123456789abcdefghijklmnopqrstuvwxyz"

var tokens = []token{
	{prefixes: "A3-", body: digit | upper | hyphen, min: 30, kind: apiKey, entropy: 3.3},
	{prefixes: "ops_eyJ", body: base64Chars, min: 250, kind: apiKey},
	{prefixes: "p8e-", body: alnum, min: 32, kind: apiKey},
	{prefixes: "AGE-SECRET-KEY-1", body: digit | upper, min: 58, kind: privateKey},
	{prefixes: "pat", body: alnum | dot, min: 79, kind: apiKey, entropy: 3.5},
	{prefixes: "LTAI", body: alnum, min: 20, kind: apiKey, entropy: 2.5},
	{prefixes: "sk-ant-", body: urlSafe, min: 32, kind: anthropicKey},
	{prefixes: "AKCp", body: alnum, min: 69, kind: apiKey},
	{prefixes: "cmVmd", body: alnum, min: 59, kind: apiKey},
	{prefixes: "ATATT3", body: urlSafe | equals, min: 180, kind: apiKey},
	{prefixes: "sc_ ext_ scauth_ authress_", body: tokenChars &^ (colon | special | tilde), min: 55, kind: apiKey, entropy: 3.5},
	{prefixes: "AKIA ASIA ABIA ACCA", body: digit | upper, min: 16, kind: awsAccessKey, entropy: 2.5},
	{prefixes: "A3T", body: digit | upper, min: 17, kind: awsAccessKey, entropy: 2.7},
	{prefixes: "ABSK", body: base64Chars, min: 109, kind: awsAccessKey},
	{prefixes: "bedrock-api-key-", body: base64Chars, min: 28, kind: awsAccessKey},
	{prefixes: "4b1d", body: alnum, min: 38, kind: apiKey, entropy: 3.9},
	{prefixes: "CLOJARS_", body: alnum, min: 60, kind: apiKey},
	{prefixes: "v1.0-", body: hexDigits | hyphen, min: 171, kind: apiKey},
	{prefixes: "dapi", body: hexDigits | hyphen, min: 32, kind: apiKey},
	{prefixes: "dnkey-", body: urlSafe | equals, min: 79, kind: apiKey},
	{prefixes: "doo_v1_ dop_v1_ dor_v1_", body: anyHex, min: 64, kind: apiKey},
	{prefixes: "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", body: alnum | dot | hyphen | underscore, min: 40, kind: apiKey},
	{prefixes: "duffel_test_ duffel_live_", body: urlSafe | equals, min: 43, kind: apiKey},
	{prefixes: "dt0c01. dt0s01. dt0s16.", body: alnum | dot, min: 80, kind: apiKey},
	{prefixes: "EZAK EZTK", body: alnum, min: 54, kind: apiKey},
	{prefixes: "EAAM EAAC EAAA sq0atp- sq0csp-", body: urlSafe, min: 22, kind: apiKey, entropy: 3.2},
	{prefixes: "FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK-", body: alnum | hyphen, min: 12, kind: apiKey},
	{prefixes: "fo1_", body: urlSafe, min: 43, kind: apiKey},
	{prefixes: "fm1a_ fm1r_ fm2_", body: base64Chars, min: 100, kind: apiKey},
	{prefixes: "fio-u-", body: urlSafe | equals, min: 64, kind: apiKey},
	{prefixes: "AIza", body: urlSafe, min: 35, kind: googleKey, entropy: 3},
	{prefixes: "GOCSPX-", body: urlSafe, min: 28, kind: googleKey},
	{prefixes: "ya29.", body: urlSafe, min: 40, kind: googleKey},
	{prefixes: "ghp_ gho_ ghu_ ghs_ ghr_", body: alnum, min: 36, kind: githubToken},
	{prefixes: "github_pat_", body: word, min: 59, kind: githubToken},
	{prefixes: "glpat- gldt- glft- glrt- glffct- glimt- glsoat- glptt- glagent- gloas- glcbt-", body: nameChars, min: 20, kind: gitlabToken},
	{prefixes: "GR1348941", body: urlSafe, min: 20, kind: gitlabToken},
	{prefixes: "_gitlab_session=", body: alnum, min: 32, kind: gitlabToken},
	{prefixes: "eyJrIjoi", body: base64Chars, min: 70, kind: apiKey},
	{prefixes: "glc_", body: base64Chars, min: 32, kind: apiKey},
	{prefixes: "glsa_", body: word, min: 41, kind: apiKey},
	{prefixes: "sat.", body: nameChars, min: 68, kind: apiKey, entropy: 3.5},
	{prefixes: "HRKU-AA", body: urlSafe, min: 58, kind: apiKey},
	{prefixes: "hf_ api_org_", body: alnum, min: 34, kind: apiKey},
	{prefixes: "ico-", body: alnum, min: 32, kind: apiKey},
	{prefixes: "s-s4t2ud- s-s4t2af-", body: anyHex, min: 64, kind: apiKey},
	{prefixes: "lin_api_ lin_oauth_", body: alnum, min: 40, kind: apiKey},
	{prefixes: "NRJS-", body: anyHex, min: 19, kind: apiKey},
	{prefixes: "NRII-", body: urlSafe, min: 32, kind: apiKey},
	{prefixes: "NRAK-", body: alnum, min: 27, kind: apiKey},
	{prefixes: "ntn_", body: alnum, min: 46, kind: apiKey},
	{prefixes: "npm_", body: alnum, min: 36, kind: npmToken},
	{prefixes: "API-", body: digit | upper, min: 26, kind: apiKey, entropy: 3},
	{prefixes: "sk-proj- sk-svcacct- sk-admin- sk-or-v1-", body: urlSafe, min: 40, kind: openAIKey},
	{prefixes: "sk-", body: alnum, min: 40, kind: openAIKey, entropy: 3.5},
	{prefixes: "sha256~", body: urlSafe, min: 43, kind: apiKey},
	{prefixes: "pplx-", body: alnum, min: 48, kind: apiKey},
	{prefixes: "pscale_tkn_ pscale_oauth_ pscale_pw_", body: nameChars | equals, min: 32, kind: apiKey},
	{prefixes: "PMAK-", body: anyHex | hyphen, min: 59, kind: apiKey},
	{prefixes: "pnu_", body: alnum, min: 36, kind: apiKey},
	{prefixes: "pul-", body: anyHex, min: 40, kind: apiKey},
	{prefixes: "pypi-AgE", body: urlSafe, min: 50, kind: pypiToken},
	{prefixes: "rdme_", body: alnum, min: 70, kind: apiKey},
	{prefixes: "rubygems_", body: anyHex, min: 48, kind: apiKey},
	{prefixes: "tk-us-", body: urlSafe, min: 48, kind: apiKey},
	{prefixes: "SG.", body: nameChars | equals, min: 66, kind: apiKey, entropy: 3},
	{prefixes: "xkeysib-", body: alnum | hyphen, min: 81, kind: apiKey},
	{prefixes: "sntrys_eyJ", body: base64Chars | underscore, min: 60, kind: apiKey},
	{prefixes: "sntryu_", body: anyHex, min: 64, kind: apiKey},
	{prefixes: "sm_aat_ sm_pat_ sm_sat_", body: alnum, min: 16, kind: apiKey},
	{prefixes: "shippo_live_ shippo_test_", body: anyHex, min: 40, kind: apiKey},
	{prefixes: "shpat_ shpca_ shppa_ shpss_", body: anyHex, min: 32, kind: apiKey},
	{prefixes: "xapp- xoxb- xoxp- xoxe- xoxe. xoxa- xoxr- xoxo- xoxs-", body: urlSafe | dot, min: 10, kind: slackToken},
	{prefixes: "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", body: base64Chars, min: 30, kind: webhook},
	{prefixes: "discord.com/api/webhooks/ discordapp.com/api/webhooks/", body: urlSafe | slash, min: 60, kind: webhook},
	{prefixes: "webhook.office.com/", body: tokenChars | special, min: 100, kind: webhook},
	{prefixes: "sgp_", body: word, min: 40, kind: apiKey},
	{prefixes: "sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_", body: alnum, min: 10, kind: stripeKey},
	{prefixes: "whsec_", body: base64Chars, min: 24, kind: stripeKey},
	{prefixes: "SK", first: "0123456789abcdef", body: anyHex, min: 32, kind: apiKey, entropy: 3},
	{prefixes: "s.", first: alnumChars, body: alnum, min: 24, kind: apiKey, entropy: 3.5},
	{prefixes: "hvs. hvb. hvr.", body: urlSafe, min: 24, kind: apiKey, entropy: 3.3},
	{prefixes: "tfp_", body: nameChars | equals, min: 59, kind: apiKey},
	{prefixes: "AQVN", body: urlSafe, min: 35, kind: apiKey, entropy: 3.5},
	{prefixes: "dckr_pat_", body: urlSafe, min: 27, kind: apiKey},
	{prefixes: "gsk_", body: alnum, min: 40, kind: apiKey},
	{prefixes: "xai-", body: alnum, min: 60, kind: apiKey},
	{prefixes: "r8_", body: alnum, min: 37, kind: apiKey},
}

// A service is known by its name in front of a key that has no form of its
// own but its length.
type service struct {
	names   string // separated by spaces
	lengths []span // of the key, in bytes
}

type span struct{ min, max int }

func lengths(n ...int) (spans []span) {
	for _, n := range n {
		spans = append(spans, span{n, n})
	}
	return spans
}

const uuid = 36 // the length of a UUID

var services = []service{
	{"adafruit algolia bittrex codecov droneci flickr fastly nytimes newyorktimes new-york-times privateai private_ai private-ai", lengths(32)},
	{"adobe linear", lengths(32)},
	{"airtable", lengths(17)},
	{"alibaba twitch", lengths(30)},
	{"asana", lengths(16, 32)},
	{"atlassian confluence jira etsy", lengths(24)},
	{"beamer", lengths(46)},
	{"bitbucket", lengths(32, 64)},
	{"meraki cohere co_api_key datadog gitter launchdarkly zendesk sourcegraph", lengths(40)},
	{"cloudflare", lengths(37, 40)},
	{"coinbase freshbooks", lengths(64)},
	{"sentry", lengths(64)},
	{"confluent", lengths(16, 64)},
	{"contentful", lengths(43)},
	{"discord", lengths(18, 32, 64)},
	{"dropbox", append(lengths(15, 64), span{130, 150})},
	{"facebook", append(lengths(32), span{43, 57})},
	{"finicity", lengths(20, 32)},
	{"finnhub", lengths(20)},
	{"gocardless", lengths(45)},
	{"heroku hubspot snyk squarespace", lengths(uuid)},
	{"intercom", lengths(60)},
	{"jfrog artifactory bintray xray", lengths(64, 73)},
	{"kraken", []span{{80, 90}}},
	{"kucoin", lengths(24, uuid)},
	{"linkedin linked_in linked-in", lengths(14, 16)},
	{"lob", []span{{40, 40}}},
	{"looker", lengths(20, 24)},
	{"mailchimp", []span{{35, 38}}},
	{"mailgun", lengths(36, 39, 50)},
	{"mapbox", []span{{80, 100}}},
	{"mattermost", lengths(26)},
	{"messagebird message-bird message_bird", lengths(25, uuid)},
	{"netlify", []span{{40, 46}}},
	{"newrelic new-relic new_relic", lengths(64)},
	{"okta", lengths(42)},
	{"plaid", append(lengths(24, 30), span{50, 60})},
	{"rapidapi", lengths(50)},
	{"sendbird", lengths(uuid, 40)},
	{"sonar", lengths(40, 44)},
	{"sumo", lengths(14, 64)},
	{"telegr", []span{{41, 52}}},
	{"travis", lengths(22)},
	{"twitter", append(lengths(25, 45, 50), span{36, 66}, span{102, 122})},
	{"yandex", []span{{39, 42}, {90, 300}}},
	{"contribsys__com", lengths(17)},
}
