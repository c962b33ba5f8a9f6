package redact_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acode-ls/acode-ls/internal/redact"
)

func redactor(t testing.TB, o redact.Options) *redact.Redactor {
	t.Helper()
	r, err := redact.New(o)
	if err != nil {
		t.Fatalf("New(%+v): %v", o, err)
	}
	return r
}

// mark writes the secrets of s as ‹TYPE›, without padding.
func mark(r *redact.Redactor, s string) string {
	return shorten(r.Text(s).Text)
}

func shorten(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "[REDACTED: ")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		kind, rest, _ := strings.Cut(rest, "]")
		b.WriteString("‹" + kind + "›")
		s = strings.TrimLeft(rest, "*")
	}
}

// x is the end of a token that is none: the tests put it behind a prefix, so
// that no token stands in this file.
const (
	x20 = "Qx7Lm2Zp9Rt4Wc8Vb3Nk"
	x40 = "Qx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2Pm"
	h40 = "3f786850e387550fdab836ed7e6dc881de23001b"
	u36 = "1f0e7c52-93d4-4b6a-8f21-5c9d0ab37e64"
)

var found = append([]struct{ text, want string }{
	{"password: hunter2", "password: ‹PASSWORD›"},
	{"password: letmein", "password: ‹PASSWORD›"},
	{"  db_password: letmein\n", "  db_password: ‹PASSWORD›\n"},
	{"password = hunter2", "password = ‹PASSWORD›"},
	{`password = "letmein"`, `password = "‹PASSWORD›"`},
	{`passwd='letmein';`, `passwd='‹PASSWORD›';`},
	{`secret: "open sesame!"`, `secret: "‹SECRET›"`},
	{`{"user":"bob","password":"letmein"}`, `{"user":"bob","password":"‹PASSWORD›"}`},
	{`"{\"password\":\"letmein\",\"a\":1}"`, `"{\"password\":\"‹PASSWORD›\",\"a\":1}"`},
	{`"password": "a\"b c1",`, `"password": "‹PASSWORD›",`},
	{"DB_PASSWORD=letmein", "DB_PASSWORD=‹PASSWORD›"},
	{"export PGPASSWORD=letmein; psql", "export PGPASSWORD=‹PASSWORD›; psql"},
	{"DB_PASS=hunter2", "DB_PASS=‹PASSWORD›"},
	{"login user=bob password=letmein ip=10.0.0.1", "login user=bob password=‹PASSWORD› ip=10.0.0.1"},
	{"GET /login?user=bob&password=hunter2&x=1", "GET /login?user=bob&password=‹PASSWORD›&x=1"},
	{"mysql --password hunter2 -h db", "mysql --password ‹PASSWORD› -h db"},
	{"mysql -u root --password S3cr3tPw99", "mysql -u root --password ‹PASSWORD›"},
	{`mysql --password "hunter2"`, `mysql --password "‹PASSWORD›"`},
	{`mysql --password 'S3cr3tPw99' -h db`, `mysql --password '‹PASSWORD›' -h db`},
	{"db: {password: S3cr3tPw99}", "db: {password: ‹PASSWORD›}"},
	{"12:password: letmein", "12:password: ‹PASSWORD›"},
	{"12-password: S3cr3tPw99", "12-password: ‹PASSWORD›"},
	{"x.yml:password: hunter2", "x.yml:password: ‹PASSWORD›"},
	{`SECRET_KEY = "ab3j#2df9sdf8s7d6f"`, `SECRET_KEY = "‹SECRET›"`},
	{"mysql --password letmein -h db", "mysql --password ‹PASSWORD› -h db"},
	{"mysql --password=letmein -h db", "mysql --password=‹PASSWORD› -h db"},
	{"<password>letmein</password>", "<password>‹PASSWORD›</password>"},
	{`<add key="Password" value="letmein" />`, `<add key="Password" value="‹PASSWORD›" />`},
	{"- name: DB_PASSWORD\n  value: letmein1\n", "- name: DB_PASSWORD\n  value: ‹PASSWORD›\n"},
	{`{"name": "DB_PASSWORD", "value": "letmein"}`, `{"name": "DB_PASSWORD", "value": "‹PASSWORD›"}`},
	{`let password: &str = "letmein";`, `let password: &str = "‹PASSWORD›";`},
	{`password string = "letmein"`, `password string = "‹PASSWORD›"`},
	{`config["password"] = "letmein"`, `config["password"] = "‹PASSWORD›"`},
	{`if password == "hunter2" {`, `if password == "‹PASSWORD›" {`},
	{`os.Setenv("DB_PASSWORD", "hunter2")`, `os.Setenv("DB_PASSWORD", "‹PASSWORD›")`},
	{"password: p@ss!word", "password: ‹PASSWORD›"},

	{"postgres://bob:letmein@db:5432/app?sslmode=off", "‹CONNECTION_STRING›"},
	{`DATABASE_URL="postgresql://bob:a/b@db/app"`, `DATABASE_URL="‹CONNECTION_STRING›"`},
	{"at mongodb+srv://bob:letmein@c.example/db.", "at ‹CONNECTION_STRING›."},
	{"redis://:letmein@cache:6379/0", "‹CONNECTION_STRING›"},
	{"amqp://guest:guest@mq", "‹CONNECTION_STRING›"},
	{"mysql://root:r@h", "‹CONNECTION_STRING›"},
	{"https://bob:letmein@example.com/x", "https://bob:‹PASSWORD›@example.com/x"},
	{"https://" + x40 + "@example.com/x", "https://‹API_KEY›@example.com/x"},
	{"git clone https://x-access-token:ghs_" + x40 + "@github.com/a/b", "git clone https://x-access-token:‹GITHUB_TOKEN›@github.com/a/b"},
	{"jdbc:postgresql://h/db?user=bob&password=letmein", "jdbc:postgresql://h/db?user=bob&password=‹PASSWORD›"},

	{"Authorization: Bearer " + x20, "Authorization: Bearer ‹BEARER_TOKEN›"},
	{`-H "Authorization: Bearer sk_live_` + x20 + `"`, `-H "Authorization: Bearer ‹STRIPE_KEY›"`},
	{"Authorization: Basic Ym9iOmxldG1laW4=", "Authorization: Basic ‹BASIC_AUTH›"},
	{"Authorization: token " + h40, "Authorization: token ‹BEARER_TOKEN›"},
	{"curl -sS -u bob:letmein https://x", "curl -sS -u bob:‹PASSWORD› https://x"},
	{"curl \\\n  --user 'bob:letmein' \\\n  https://x", "curl \\\n  --user 'bob:‹PASSWORD›' \\\n  https://x"},
	{"curl -H 'X-Api-Key: " + x20 + "' -u bob:letmein x", "curl -H 'X-Api-Key: ‹API_KEY›' -u bob:‹PASSWORD› x"},
	{"machine h login bob password letmein", "machine h login bob password ‹PASSWORD›"},
	{"machine h\n  login bob\n  password letmein\n", "machine h\n  login bob\n  password ‹PASSWORD›\n"},
	{"kind: Secret\nmetadata:\n  name: x\ndata:\n  user: Ym9iYm9i\n  pw: bGV0bWVpbg==\n", "kind: Secret\nmetadata:\n  name: x\ndata:\n  user: ‹SECRET›\n  pw: ‹SECRET›\n"},

	{"data:\n  pw: bGV0bWVpbg==\nkind: Secret\n", "data:\n  pw: ‹SECRET›\nkind: Secret\n"},
	{"kind: ConfigMap\ndata:\n  mode: aGVsbG8=\n", "kind: ConfigMap\ndata:\n  mode: aGVsbG8=\n"},

	{"-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBgkq\nhkiG9w0B\n-----END PRIVATE KEY-----\nx", "‹PRIVATE_KEY›\n****************\n********\n*************************\nx"},
	{`"-----BEGIN RSA PRIVATE KEY-----\nMIIEvgIBADANBgkq\n-----END RSA PRIVATE KEY-----\n"`, `"‹PRIVATE_KEY›\n"`},
	{"-----BEGIN EC PRIVATE KEY-----\nMIIEvgIBADANBgkqhkiG9w0B\nMIIEvgIBADANBgkqhkiG9w0B\n\n$ ls the files\n", "‹PRIVATE_KEY›\n************************\n************************\n\n$ ls the files\n"},

	{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmN", "‹JWT›"},
	{"session eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0. ok", "session ‹JWT› ok"},
	{"AKIAIOSFODNN7EXAMPLE", "‹AWS_ACCESS_KEY›"},
	{"aws_secret_access_key = " + x40, "aws_secret_access_key = ‹AWS_SECRET_KEY›"},
	{"AccountKey=" + x40 + x40 + "abcd12==;EndpointSuffix=core", "AccountKey=‹AZURE_SECRET›;EndpointSuffix=core"},
	{"token=ghp_" + x40, "token=‹GITHUB_TOKEN›"},
	{"x\\nghp_" + x40, "x\\n‹GITHUB_TOKEN›"},
	{"github_pat_" + x40 + x20, "‹GITHUB_TOKEN›"},
	{"glpat-" + x20, "‹GITLAB_TOKEN›"},
	{"xoxb-123456789012-123456789012-" + x20, "‹SLACK_TOKEN›"},
	{"https://hooks.slack.com/services/T0000AB12/B0000CD34/" + x20, "https://‹WEBHOOK_URL›"},
	{"sk_live_" + x20, "‹STRIPE_KEY›"},
	{"npm_" + x40, "‹NPM_TOKEN›"},
	{"pypi-AgEIcHlwaS5vcmc" + x40, "‹PYPI_TOKEN›"},
	{"sk-proj-" + x40, "‹OPENAI_KEY›"},
	{"sk-ant-api03-" + x40, "‹ANTHROPIC_KEY›"},
	{"AIza" + x20 + "Hj6Gf5Ds1Ya0Ue7", "‹GOOGLE_API_KEY›"},
	{"client: abc1Q~" + "Qx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0U", "client: ‹AZURE_SECRET›"},
	{`api_key: "` + x20 + `"`, `api_key: "‹API_KEY›"`},
	{"apiKey=" + h40, "apiKey=‹API_KEY›"},
	{"X-Auth-Token: " + u36, "X-Auth-Token: ‹API_KEY›"},
	{"heroku_key: " + u36, "heroku_key: ‹API_KEY›"},
	{"DROPBOX=k3j8h2g5f7d1s9a", "DROPBOX=‹API_KEY›"},

	// 40 and more of [A-Za-z0-9_-]
	{"see " + x40 + " here", "see ‹API_KEY› here"},
	{"the key is: qx7lm2zp9rt4wc8vb3nkhj6gf5ds1ya0ue7io2pm", "the key is: ‹API_KEY›"},
	{"a " + x40 + "." + x40 + " b", "a ‹API_KEY›.‹API_KEY› b"},
	{"Ab1-ghp_" + x40, "Ab1-‹GITHUB_TOKEN›"},
	{"https://h.example.com/hooks/" + x40, "https://h.example.com/hooks/‹API_KEY›"},
	{"https://h.example.com/" + x40 + "/run?x=1", "https://h.example.com/‹API_KEY›/run?x=1"},
}, phrases...)

func TestFound(t *testing.T) {
	r := redactor(t, redact.Options{})
	for _, tt := range found {
		if got := mark(r, tt.text); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.text, got, tt.want)
		}
		if once := r.Text(tt.text).Text; r.Text(once).Text != once {
			t.Errorf("Text(%q) = %q, redacted again %q", tt.text, once, r.Text(once).Text)
		}
	}
}

// Keywords are looked up at every second offset, and long runs at few.
func TestFoundAnywhere(t *testing.T) {
	r := redactor(t, redact.Options{})
	for i := range 33 {
		before := strings.Repeat("\n", i)
		for _, tt := range found {
			if got := mark(r, before+tt.text); got != before+tt.want {
				t.Errorf("Text(%q) = %q, want %q", before+tt.text, got, before+tt.want)
			}
		}
	}
}

var kept = strings.Split(strings.TrimSpace(`
comparePasswords(a, b)
const { email, password } = req.body;
if (!user || !(await comparePasswords(password, user.password_hash))) {
password: string
password: string;
password?: string;
password: str = Field(...)
password: base64Text
password: utf8String,
(password: Base64EncodedString)
function f(password: SHA256Hash, b: int)
password: my_base64_text
password: toUTF8
password = _base64
def login(user: str, password: str) -> bool:
func Login(user, password string) error {
password = os.Getenv("X")
password = os.environ["DB_PASSWORD"]
password: process.env.DB_PASSWORD,
password: ${DB_PASSWORD}
password: "${DB_PASSWORD}"
password: "db-${X}9"
password: {{ .Values.password }}
password: <password>
--password <password>
--password string   the password of the user
password: ********
password: "xxxxxxxx"
password: ""
password = ''
PASSWORD=
PASSWORD=$1
token := lexer.Next()
token = lexer.nextToken2()
if password == "" {
passwordField.text = value
password = value
self.password = password
self.password = self.config.password
password = getpass.getpass("Password: ")
fmt.Print("Password: ")
prompt("Password: ", hidden)
Password: (hidden)
the password must be at least 8 characters
Password: must be at least 8 characters
password: must be at least 8 characters long
    password: SMTP account password
    password: Basic http scheme
    password: plaintext value stored here
password: nobody knows (really)
password: nobody knows that, really
see password: correct horse battery staple
password = cycle rest step
password: | other
password("hunter2")
return password("hunter2")
std::string password("the password of the user");
std::string password("hunter2" + x);
"password": "Enter your password",
"password": "Password"
"password_file": "/run/secrets/db"
password_file: /run/secrets/db
passwordEnv: "DB_PASSWORD"
secretName: db-credentials
secret: true
secret: "db-credentials"
password: 12345
max_tokens: 4096
token_count: 123456789012
tokens: 1234567890
private String password;
<input type="password" name="password" id="password">
PWD=/home/bob/src
pass: 12, fail: 3
bypass=1
compass = north2
secretary: alice1
keyboard = "qwertz-de-1"
monkey: bonobo17
key: value
key = "user:session:42"
"key": "settings.theme.dark2"
cache-key: node-modules-3f786850e387550fdab836ed7e6dc881de23001b
primary_key = "user_id_2"
author = "bob-2024-12-01"
auth: enabled
access = read2write
api: "v1.2.3-beta4"
token: expired
token = tokens[i+1]
key, err := rand.Read(buf)
commit 3f786850e387550fdab836ed7e6dc881de23001b
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file.tar.gz
github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBYhMZdY=
"integrity": "sha512-Qx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2PmQx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2PmAA=="
checksum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
{file = "a.whl", hash = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
a.py,sha256=Qx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2PmQ-_,123
image@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
------------------------------------------------------------------------
========================================================================
________________________________________________________________________
func TestThatTheLedgerIsRepairedAfterTheProcessDied_WhenTheDiskIsFull2(t *testing.T) {
some-very-long-file-name-2024-with-words-and-hyphens-inside
_ZN4llvm12DenseMapBaseINS_8DenseMapIPKNS_4TypeEjNS_12DenseMapInfoIS4_EE
1f0e7c52-93d4-4b6a-8f21-5c9d0ab37e64
"id": "1f0e7c52-93d4-4b6a-8f21-5c9d0ab37e64", "key": "1f0e7c52-93d4-4b6a-8f21-5c9d0ab37e64"
/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30
https://example.com/a/b?c=d#e
"key": "https://example.com/qx7lm2zp9rt4wc8vb3nkhj6gf5ds1ya0ue7io2pm"
https://example.com/blob/3f786850e387550fdab836ed7e6dc881de23001b/x
https://example.com/x/1f0e7c52-93d4-4b6a-8f21-5c9d0ab37e64/x
https://example.com/some-very-long-title-of-a-page-2024-with-words-and-hyphens/x
https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU/preview
/usr/share/Qx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2Pm
postgres://localhost:5432/app
postgres://bob@localhost/app
postgres://${USER}:${PASSWORD}@localhost/app
mongodb://<user>:<password>@host
http://localhost:8080/@scope/name
git@github.com:a/b.git
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIQx7Lm2Zp9Rt4Wc8Vb3NkHj6Gf5Ds1Ya0Ue7Io2Pm bob@host
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ghp_${TOKEN}
sk-...
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
"Authorization": "Bearer " + token
Bearer authentication is required
Basic authentication
publicKeyToken=b77a5c561934e089
-----BEGIN CERTIFICATE-----
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
Use the --root-password flag to set it.
Using --password via the command line is insecure.
# "--use-random-password" will be required.
GENERATE_PASSWORD = 'GeneratePassword'
--secret=projects/my-project/secrets/my-secret/versions/2
function(password: Uint8Array, salt: Uint8Array)
const secret = yield* derive(a, b)
readonly STENCIL_PASS_DEPTH_PASS: 0x0B96;
allPass: "overEvery",
address: '0xFBA3912Ca04dd458c843e2EE08967fC04f3579c2',
token: '0x5C221E77624690fff6dd741493D735a17716c26B'
[aux_sym_jsx_text_token2] = aux_sym_jsx_text_token2,
encryptionKey1024: dk.encryptionKey1024,
key: testEd25519PrivateKey,
google.golang.org/api v0.7.0 h1:9sdfJOzWlkqPltHAuzT2Cp+yrBeY1KRVYgms8soxMwM=
<syscall name="memfd_secret" number="447"/>
create my-secret --next-rotation-time="2030-01-01T15:30:00-05:00"
http2cipher_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
return rewriteValueAMD64_OpAMD64VFMADD213PDMasked128(v)
if !s.liveAfterCurrentInstruction(v.Args[0]) {
"abcefghijklmnopqrstuvwxyzABCEFGHIJKLMNOPQRSTUVWXYZ1234567890"
VHdhcyBicmlsbGlnLCBhbmQgdGhlIHNsaXRoeSB0b3Zlcw==
api_key = "0123456789abcdef0123456789abcdef"
XAKIAIOSFODNN7EXAMPLE
--shared-secret requires a value
machine string; login string; password string
this._password+=M1}else this._password="";
-----BEGIN PUBLIC KEY-----
123456789012345678901234567890123456789012345678901234567890
`), "\n")

func TestKept(t *testing.T) {
	r := redactor(t, redact.Options{})
	for _, text := range append(slices.Clone(kept), strings.Repeat("X", 100_000), strings.Repeat("  \""+x40+x20+"\" +\n", 2), "", "\n", "\xff\xfe") {
		if got := mark(r, text); got != text {
			t.Errorf("Text(%q) = %q, want it unchanged", text, got)
		}
	}
	if got := mark(r, strings.Join(kept, "\n")); got != strings.Join(kept, "\n") {
		t.Errorf("Text of all lines changes them:\n%s", cmp.Diff(strings.Join(kept, "\n"), got))
	}
}

func TestPlaceholder(t *testing.T) {
	r := redactor(t, redact.Options{})
	for _, tt := range []struct{ text, want string }{
		{"password: hunter2", "password: [REDACTED: PASSWORD]"},
		{"password = 'a1[REDACTED: JWT]**'", "password = 'a1[REDACTED: JWT]**'"},
		{"password: 'hunter2hunter2hunter2'", "password: '[REDACTED: PASSWORD]*'"},
		{"password: 'hunter2hunter2hünter2'", "password: '[REDACTED: PASSWORD]*'"},
		{"-----BEGIN PRIVATE KEY-----\r\nMIIEvg\r\n-----END PRIVATE KEY-----\r\n", "[REDACTED: PRIVATE_KEY]****\r\n******\r\n*************************\r\n"},
	} {
		if got := r.Text(tt.text).Text; got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestResult(t *testing.T) {
	text := "a\npassword=hunter2\rsecret=hunter2\r\nb\n-----BEGIN PRIVATE KEY-----\nMIIEvgIB\n-----END PRIVATE KEY-----\nc\npassword=hunter2"
	want := redact.Result{
		Count: 4,
		Types: []redact.Count{{"PASSWORD", 2}, {"PRIVATE_KEY", 1}, {"SECRET", 1}},
		Lines: []redact.Range{{2, 3}, {5, 7}, {9, 9}},
	}
	got := redactor(t, redact.Options{}).Text(text)
	got.Text = ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Text(%q) differs (-want +got):\n%s", text, diff)
	}
}

func TestNothingFound(t *testing.T) {
	r := redactor(t, redact.Options{})
	text := strings.Join(kept, "\n")
	if n := testing.AllocsPerRun(10, func() { r.Text(text) }); n != 0 {
		t.Errorf("Text of text without secrets allocates %v times, want 0", n)
	}
	if diff := cmp.Diff(redact.Result{Text: text}, r.Text(text)); diff != "" {
		t.Errorf("Text without secrets differs (-want +got):\n%s", diff)
	}
}

func TestStrict(t *testing.T) {
	r := redactor(t, redact.Options{Strict: true})
	for _, tt := range []struct{ text, want string }{
		{"commit " + h40, "commit ‹API_KEY›"},
		{strings.Repeat("-", 40), "‹API_KEY›"},
		{strings.Repeat("-", 39), strings.Repeat("-", 39)},
		{h40[1:], h40[1:]},
		{"a " + h40 + "." + h40 + "x b", "a ‹API_KEY›.‹API_KEY› b"},
	} {
		if got := mark(r, tt.text); got != tt.want {
			t.Errorf("strict Text(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := mark(r, strings.Repeat("X", 100_001)); strings.Contains(got, "X") {
		t.Errorf("strict Text of 100001 X keeps some: %.60q", got)
	}
}

func TestJSON(t *testing.T) {
	r := redactor(t, redact.Options{})
	for _, tt := range []struct{ text, want string }{
		{`{"token": 1234567890123456789012345678901234567890}`, `{"token": 1234567890123456789012345678901234567890}`},
		{`{"api_key": 1234567890123456789012345678901234567890e5}`, `{"api_key": 1234567890123456789012345678901234567890e5}`},
		{`{"url":"postgres://u:p@h/d","n":1}`, `{"url":"‹CONNECTION_STRING›","n":1}`},
		{`["-----BEGIN PRIVATE KEY-----\nMIIEvgIB\n-----END PRIVATE KEY-----\n"]`, `["‹PRIVATE_KEY›\n"]`},
		{`{"password":"a\u00e4\\"}`, `{"password":"‹PASSWORD›"}`},
		{`["password=hunter2\\n"]`, `["password=‹PASSWORD›\\n"]`},
	} {
		got := r.JSON(tt.text)
		if shorten(got.Text) != tt.want || got.NotJSON {
			t.Errorf("JSON(%q) = %q, NotJSON %t, want %q, false", tt.text, shorten(got.Text), got.NotJSON, tt.want)
		}
	}
	numbers := redactor(t, redact.Options{Patterns: []redact.Pattern{{"number", `\d{6}`}, {"half", `b4x`}}})
	for _, tt := range []struct{ text, want string }{
		{`["a", 123456, "123456", 123456]`, `["a", 123456, "‹NUMBER›", 123456]`},
		{`["a\u00b4x", "\"123456\\", 123456]`, `["a‹HALF›", "\"‹NUMBER›\\", 123456]`},
	} {
		if got := shorten(numbers.JSON(tt.text).Text); got != tt.want {
			t.Errorf("JSON(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := r.JSON(`{"password": "hunter2", `); !got.NotJSON || got.Count != 1 {
		t.Errorf("JSON of half an object has NotJSON %t, Count %d, want true, 1", got.NotJSON, got.Count)
	}
}

func TestPatterns(t *testing.T) {
	r := redactor(t, redact.Options{Patterns: []redact.Pattern{
		{"ticket", `ACME-\d{6}`},
		{"Badge-1", `^badge (\d+)$`},
		{"any", `[A-Z]{6,}`},
		{"end", `z$`},
	}})
	for _, tt := range []struct{ text, want string }{
		{"see ACME-123456.", "see ‹TICKET›."},
		{"badge 12\r\nbadge 13 \nbadge 14", "badge ‹BADGE_1›\r\nbadge 13 \nbadge ‹BADGE_1›"},
		{"[REDACTED: PASSWORD]", "‹PASSWORD›"},
		{"password=hunter2ABCDEF-x", "password=‹PASSWORD›"},
		{strings.Repeat("y", 32<<10-1) + "zyy", strings.Repeat("y", 32<<10-1) + "zyy"},
		{strings.Repeat("x", 100_000) + "ACME-123456", strings.Repeat("x", 100_000) + "‹TICKET›"},
		{strings.Repeat("x", 32<<10-5) + "ACME-123456", strings.Repeat("x", 32<<10-5) + "‹TICKET›"},
	} {
		if got := mark(r, tt.text); got != tt.want {
			t.Errorf("Text(%.200q) = %.200q, want %.200q", tt.text, got, tt.want)
		}
	}
}

func TestPatternRefused(t *testing.T) {
	for _, tt := range []struct {
		pattern redact.Pattern
		want    string
	}{
		{redact.Pattern{"", "a"}, `redaction pattern "": it has no name`},
		{redact.Pattern{"a b", "a"}, `redaction pattern "a b": its name may have letters, digits, _ and - only`},
		{redact.Pattern{strings.Repeat("a", 65), "a"}, `redaction pattern "` + strings.Repeat("a", 65) + `": its name is longer than 64 bytes`},
		{redact.Pattern{"ticket", ""}, `redaction pattern "ticket": it has no regex`},
		{redact.Pattern{"ticket", "a("}, "redaction pattern \"ticket\": error parsing regexp: missing closing ): `a(`"},
		{redact.Pattern{"ticket", "a*"}, `redaction pattern "ticket": its regex matches the empty text`},
		{redact.Pattern{"ticket", `\b|a`}, `redaction pattern "ticket": its regex matches the empty text`},
		{redact.Pattern{"ticket", "(a{30}b{30}){30}"}, `redaction pattern "ticket": its regex repeats too much: it unfolds to 1800 parts, at most 1000 are allowed`},
		{redact.Pattern{"ticket", strings.Repeat("a", 1001)}, `redaction pattern "ticket": its regex is longer than 1000 bytes`},
	} {
		_, err := redact.New(redact.Options{Patterns: []redact.Pattern{tt.pattern}})
		if err == nil || err.Error() != tt.want {
			t.Errorf("New(%q) fails with %v, want %s", tt.pattern, err, tt.want)
		}
	}
}
