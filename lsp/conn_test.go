package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// A peer is the client's end of a connection served in a synctest bubble. It reads whatever the server
// writes, unless it is stuck.
type peer struct {
	t    *testing.T
	conn *Conn
	in   *io.PipeWriter
	out  *io.PipeReader
	logs *observer.ObservedLogs
	run  chan error // the result of Run

	mu   sync.Mutex
	got  []string // bodies not yet taken
	more chan struct{}
}

// halves is a duplex stream whose halves end separately.
type halves struct {
	*io.PipeReader
	*io.PipeWriter
}

func (h halves) Close() error {
	return errors.Join(h.PipeReader.Close(), h.PipeWriter.Close())
}

func dialStuck(t *testing.T, handlers map[string]Handler, opts Options) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	core, logs := observer.New(zap.DebugLevel)
	opts.Log = zap.New(core)
	p := &peer{t: t, in: inW, out: outR, logs: logs, run: make(chan error, 1), more: make(chan struct{}, 1)}
	p.conn = NewConn(halves{inR, outW}, handlers, opts)
	go func() { p.run <- p.conn.Run(t.Context()) }()
	return p
}

func dial(t *testing.T, handlers map[string]Handler, opts Options) *peer {
	p := dialStuck(t, handlers, opts)
	go p.readAll()
	return p
}

func (p *peer) readAll() {
	in := bufio.NewReader(p.out)
	for {
		body, err := readBody(in)
		if err != nil {
			if err != io.EOF && err != io.ErrClosedPipe {
				p.t.Errorf("the server wrote no whole frame: %v", err)
			}
			return
		}
		p.mu.Lock()
		p.got = append(p.got, body)
		p.mu.Unlock()
	}
}

// readBody is stricter than a client need be.
func readBody(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		if line != "" {
			return "", fmt.Errorf("header cut off: %q", line)
		}
		return "", err
	}
	var n int
	if _, err := fmt.Sscanf(line, "Content-Length: %d\r\n", &n); err != nil {
		return "", fmt.Errorf("%q: %v", line, err)
	}
	if line, err := in.ReadString('\n'); line != "\r\n" {
		return "", fmt.Errorf("%q: %v", line, err)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(in, body); err != nil {
		return "", fmt.Errorf("body cut off: %v", err)
	}
	if !json.Valid(body) {
		return "", fmt.Errorf("not JSON: %q", body)
	}
	return string(body), nil
}

func framed(bodies ...string) string {
	var b strings.Builder
	for _, body := range bodies {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return b.String()
}

func (p *peer) write(raw string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, raw); err != nil {
		p.t.Errorf("writing %.80q: %v", raw, err)
	}
}

func (p *peer) send(bodies ...string) {
	p.t.Helper()
	p.write(framed(bodies...))
}

// settle waits until the server can do no more and takes what it wrote.
func (p *peer) settle() []string {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	return got
}

func (p *peer) want(want ...string) {
	p.t.Helper()
	if diff := cmp.Diff(want, p.settle()); diff != "" {
		p.t.Errorf("server wrote (-want +got):\n%s", diff)
	}
}

// hangUp ends the server's input and returns the result of Run.
func (p *peer) hangUp() error {
	p.in.Close()
	return <-p.run
}

func (p *peer) logged() []string {
	var lines []string
	for _, e := range p.logs.TakeAll() {
		lines = append(lines, e.Message)
	}
	return lines
}

func request(id, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method)
}

func notification(method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, method)
}

func cancelRequest(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`, id)
}

func result(id, value string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, value)
}

func failure(id string, code int, message string) string {
	m, _ := json.Marshal(message)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, m)
}

func ok(context.Context, json.RawMessage) (any, error) { return "ok", nil }

// untilDone waits for its context as a handler that works would.
func untilDone(ctx context.Context, _ json.RawMessage) (any, error) {
	<-ctx.Done()
	return nil, fmt.Errorf("working: %w", ctx.Err())
}

func TestAnswer(t *testing.T) {
	var nilError *Error
	echo := func(_ context.Context, params json.RawMessage) (any, error) { return params, nil }
	for _, test := range []struct {
		name    string
		handler Handler
		params  string
		want    string
	}{
		{"params", echo, `{"a": [1, "<ü>\u0041"]}`, result("1", `{"a":[1,"<ü>\u0041"]}`)},
		{"array params", echo, `[]`, result("1", `[]`)},
		{"scalar params", echo, `5`, result("1", `5`)},
		{"no params", func(_ context.Context, params json.RawMessage) (any, error) { return params == nil, nil }, ``, result("1", "true")},
		{"nil", func(context.Context, json.RawMessage) (any, error) { return nil, nil }, ``, result("1", "null")},
		{"error", func(context.Context, json.RawMessage) (any, error) { return 1, errors.New(`bad "x"`) }, ``,
			failure("1", CodeInternal, `bad "x"`)},
		{"coded error", func(context.Context, json.RawMessage) (any, error) {
			return nil, &Error{CodeContentModified, "changed", map[string]int{"status": 404}}
		}, ``, `{"jsonrpc":"2.0","id":1,"error":{"code":-32801,"message":"changed","data":{"status":404}}}`},
		{"wrapped coded error", func(context.Context, json.RawMessage) (any, error) {
			return nil, fmt.Errorf("outer: %w", Errorf(CodeInvalidParams, "inner"))
		}, ``, failure("1", CodeInvalidParams, "outer: inner")},
		{"nil coded error", func(context.Context, json.RawMessage) (any, error) { return 1, nilError }, ``, result("1", "1")},
		{"client's error", func(context.Context, json.RawMessage) (any, error) {
			return nil, &ClientError{Method: "m", Code: CodeMethodNotFound, Message: "no"}
		}, ``, failure("1", CodeInternal, "m: client answered -32601: no")},
		{"canceled on its own", func(context.Context, json.RawMessage) (any, error) { return nil, context.Canceled }, ``,
			failure("1", CodeInternal, "context canceled")},
		{"no JSON", func(context.Context, json.RawMessage) (any, error) { return func() {}, nil }, ``,
			failure("1", CodeInternal, `encoding the result of m: json: unsupported type: func()`)},
		{"panic in MarshalJSON", func(context.Context, json.RawMessage) (any, error) { return explosive{}, nil }, ``,
			failure("1", CodeInternal, `encoding the result of m: panic: boom`)},
		{"no JSON in error", func(context.Context, json.RawMessage) (any, error) { return nil, &Error{1, "x", func() {}} }, ``,
			failure("1", 1, `x (its data cannot be encoded: json: unsupported type: func())`)},
		{"panic", func(context.Context, json.RawMessage) (any, error) { panic("boom") }, ``, failure("1", CodeInternal, "m: panic: boom")},
		{"panic after Release", func(ctx context.Context, _ json.RawMessage) (any, error) { Release(ctx); panic("boom") }, ``,
			failure("1", CodeInternal, "m: panic: boom")},
		{"Goexit", func(context.Context, json.RawMessage) (any, error) { runtime.Goexit(); return nil, nil }, ``,
			failure("1", CodeInternal, "m: the handler gave up")},
		{"Goexit after Release", func(ctx context.Context, _ json.RawMessage) (any, error) {
			Release(ctx)
			runtime.Goexit()
			return nil, nil
		}, ``,
			failure("1", CodeInternal, "m: the handler gave up")},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := dial(t, map[string]Handler{"m": test.handler, "ok": ok}, Options{})
				params := ""
				if test.params != "" {
					params = `,"params":` + test.params
				}
				p.send(`{"jsonrpc":"2.0","id":1,"method":"m"` + params + `}`)
				p.want(test.want)
				// The server goes on, and the id is free again.
				p.send(request("1", "ok"))
				p.want(result("1", `"ok"`))
				if err := p.hangUp(); err != nil {
					t.Errorf("Run = %v, want nil", err)
				}
			})
		})
	}
}

type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("boom") }

func TestIDIsAnsweredAsItCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, map[string]Handler{"ok": ok}, Options{})
		for _, id := range []string{
			"0", "1", "-1", "-0", "2147483647", "2147483648", "9007199254740993", "18446744073709551616", "3.5", "1e300", "1E+2",
			`"str"`, `""`, `"1"`, `"\u00e9\"\\"`, `"é"`, "null",
		} {
			p.send(request(id, "ok"))
			p.want(result(id, `"ok"`))
			p.send(request(id, "missing"))
			p.want(failure(id, CodeMethodNotFound, `method not found: "missing"`))
		}
		p.hangUp()
	})
}

func TestUnknownMethod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, nil, Options{})
		p.send(request("1", "acode/nothing"), request("2", "$/nothing"), request("3", ""))
		p.want(
			failure("1", CodeMethodNotFound, `method not found: "acode/nothing"`),
			failure("2", CodeMethodNotFound, `method not found: "$/nothing"`),
			failure("3", CodeMethodNotFound, `method not found: ""`),
		)
		p.send(notification("$/setTrace"))
		p.want()
		if got := p.logged(); len(got) > 0 {
			t.Errorf("logged %q, want nothing for $/", got)
		}
		p.send(notification("acode/nothing"))
		p.want()
		if diff := cmp.Diff([]string{"ignoring unknown notification"}, p.logged()); diff != "" {
			t.Errorf("logged (-want +got):\n%s", diff)
		}
		p.hangUp()
	})
}

func TestNotificationThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, map[string]Handler{
			"panic": func(context.Context, json.RawMessage) (any, error) { panic("boom") },
			"error": func(context.Context, json.RawMessage) (any, error) { return 1, errors.New("bad") },
			"fine":  func(context.Context, json.RawMessage) (any, error) { return 1, nil },
			"ok":    ok,
		}, Options{})
		p.send(notification("panic"), notification("error"), notification("fine"), request("1", "ok"))
		p.want(result("1", `"ok"`))
		if diff := cmp.Diff([]string{"handler panicked", "notification failed", "notification failed"}, p.logged()); diff != "" {
			t.Errorf("logged (-want +got):\n%s", diff)
		}
		p.hangUp()
	})
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := false
		p := dial(t, map[string]Handler{
			"ok":         ok,
			"initialize": func(context.Context, json.RawMessage) (any, error) { open = true; return nil, nil },
			"note": func(context.Context, json.RawMessage) (any, error) {
				t.Error("a gated notification ran")
				return nil, nil
			},
		}, Options{Gate: func(method string) *Error {
			if !open && method != "initialize" {
				return Errorf(CodeServerNotInitialized, "%s before initialize", method)
			}
			return nil
		}})
		p.send(request("1", "ok"), request("2", "missing"), notification("note"), request("3", "initialize"), request("4", "ok"))
		p.want(
			failure("1", CodeServerNotInitialized, "ok before initialize"),
			failure("2", CodeServerNotInitialized, "missing before initialize"),
			result("3", "null"),
			result("4", `"ok"`),
		)
		p.hangUp()
	})
}

// malformed is the table of what a client should not send; it also seeds the fuzz target.
var malformed = []struct {
	name string
	raw  string
	want []string // error code and id of each answer
}{
	{"lower-case header", "content-length: 38\r\n\r\n" + request("1", "ok"), []string{"1"}},
	{"other headers", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:\t38 \r\nX: \r\n\r\n" + request("1", "ok"), []string{"1"}},
	{"line feeds only", "Content-Length: 38\n\n" + request("1", "ok"), []string{"1"}},
	{"empty lines between frames", "\r\n\r\n\n" + framed(request("1", "ok")) + "\r\n", []string{"1"}},
	{"two lengths", "Content-Length: 4\r\nContent-Length: 38\r\n\r\n" + request("1", "ok"), []string{"1"}},
	{"space around a message", framed(" \r\n\t" + request("1", "ok") + "\n"), []string{"1"}},
	{"escaped member names", framed(`{"jsonrpc":"2.0","\u0069d":1,"meth\u006fd":"o\u006b"}`), []string{"1"}},
	{"member twice", framed(`{"jsonrpc":"2.0","id":7,"id":1,"method":"ok"}`), []string{"1"}},

	{"no length", "Content-Type: x\r\n\r\n" + request("1", "ok"), []string{"-32700 null"}},
	{"other header only", "X: y\r\n\r\n", []string{"-32700 null"}},
	{"length not a number", "Content-Length: abc\r\n\r\n{}", []string{"-32700 null"}},
	{"length empty", "Content-Length:\r\n\r\n{}", []string{"-32700 null"}},
	{"length negative", "Content-Length: -5\r\n\r\n{}", []string{"-32700 null"}},
	{"length signed", "Content-Length: +2\r\n\r\n{}", []string{"-32700 null"}},
	{"length fractional", "Content-Length: 2.0\r\n\r\n{}", []string{"-32700 null"}},
	{"length over 64 bits", "Content-Length: 99999999999999999999\r\n\r\n{}", []string{"-32700 null"}},
	{"length zero", "Content-Length: 0\r\n\r\n", []string{"-32700 null"}},
	{"length too short", "Content-Length: 35\r\n\r\n" + request("1", "ok"), []string{"-32700 null"}},
	{"length too long", "Content-Length: 60\r\n\r\n" + request("1", "ok"), []string{"-32700 null"}},
	{"length too long by one", "Content-Length: 39\r\n\r\n" + request("1", "ok"), []string{"-32700 null"}},
	{"length much too long", "Content-Length: 900\r\n\r\n" + request("1", "ok"), []string{"-32700 null"}},
	{"no header", request("1", "ok"), []string{"-32700 null"}},
	{"no header, a line", request("1", "ok") + "\n", []string{"-32700 null"}},
	{"no header name", ": 5\r\n\r\n", []string{"-32700 null"}},
	{"line without colon", "hello\r\n", []string{"-32700 null"}},
	{"header glued to garbage", "garbage", []string{"-32700 null"}},
	{"header glued to a header", "X: y", []string{"-32700 null"}},
	{"header cut off", "Content-Length: 4", []string{"-32700 null"}},
	{"long line", strings.Repeat("x", 3*maxHeaderLine), []string{"-32700 null"}},
	{"long lines", strings.Repeat(strings.Repeat("x", 1000)+"\n", 200), []string{"-32700 null"}},
	{"near headers", strings.Repeat("Content-Length: x\r\n", 9999), []string{"-32700 null"}},
	{"dashes", strings.Repeat("-", 99999), []string{"-32700 null"}},

	{"no JSON", framed("{bad}"), []string{"-32700 null"}},
	{"no JSON in params", framed(`{"jsonrpc":"2.0","id":1,"method":"ok","params":{"a":}}`), []string{"-32700 null"}},
	{"JSON cut off", framed(`{"jsonrpc":"2.0","id":1,"method":"ok"`), []string{"-32700 null"}},
	{"two texts", framed("{} {}"), []string{"-32700 null"}},
	{"byte order mark", framed("\ufeff" + request("1", "ok")), []string{"-32700 null"}},
	{"raw line feed in string", framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"o\nk\"}"), []string{"-32700 null"}},
	{"deep nesting", framed(strings.Repeat("[", 500000)), []string{"-32700 null"}},

	{"batch", framed("[" + request("1", "ok") + "]"), []string{"-32600 null"}},
	{"empty batch", framed("[]"), []string{"-32600 null"}},
	{"scalar", framed("5"), []string{"-32600 null"}},
	{"nothing in it", framed("{}"), []string{"-32600 null"}},
	{"no version", framed(`{"id":1,"method":"ok"}`), []string{"-32600 1"}},
	{"wrong version", framed(`{"jsonrpc":"1.0","id":"a","method":"ok"}`), []string{`-32600 "a"`}},
	{"wrong version of notification", framed(`{"jsonrpc":2.0,"method":"ok"}`), []string{"-32600 null"}},
	{"no method", framed(`{"jsonrpc":"2.0","id":9007199254740993}`), []string{"-32600 9007199254740993"}},
	{"method not a string", framed(`{"jsonrpc":"2.0","id":1,"method":5}`), []string{"-32600 1"}},
	{"method null", framed(`{"jsonrpc":"2.0","id":1,"method":null}`), []string{"-32600 1"}},
	{"id true", framed(request("true", "ok")), []string{"-32600 null"}},
	{"id object", framed(request("{}", "ok")), []string{"-32600 null"}},
	{"id array", framed(request("[1]", "ok")), []string{"-32600 null"}},
	{"answer to nothing", framed(`{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1}}`, `{"jsonrpc":"2.0","id":[],"result":1}`), nil},

	{"over the cap", framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"ok","params":[%s1]}`, strings.Repeat("1, ", 400000))), []string{"-32600 1"}},
	{"over the cap, id at the end", framed(fmt.Sprintf(`{"jsonrpc":"2.0","method":"ok","params":[%s1],"id":1}`, strings.Repeat("1, ", 400000))), []string{"-32600 null"}},
	{"far over the cap", "Content-Length: 999999999999999999\r\n\r\n" + `{"id":12345}`, []string{"-32600 12345"}},
	{"far over the cap, id cut off", "Content-Length: 999999999999999999\r\n\r\n" + `{"id":12345`, []string{"-32600 null"}},
}

func TestMalformed(t *testing.T) {
	for _, test := range malformed {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := dial(t, map[string]Handler{"ok": ok}, Options{MaxBody: 1 << 20})
				p.write(test.raw)
				early := p.settle()
				// Two valid requests, as the first may be needed to see the end of what was malformed.
				p.send(request(`"next"`, "ok"), request(`"last"`, "ok"))
				var got []string
				for _, body := range append(early, p.settle()...) {
					var m struct {
						ID    json.RawMessage
						Error struct{ Code int }
					}
					if err := json.Unmarshal([]byte(body), &m); err != nil {
						t.Fatal(err)
					}
					if m.Error.Code == 0 {
						got = append(got, string(m.ID))
					} else {
						got = append(got, fmt.Sprint(m.Error.Code, " ", string(m.ID)))
					}
				}
				want := append(slices.Clone(test.want), `"next"`, `"last"`)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("answers (-want +got):\n%s", diff)
				}
				if err := p.hangUp(); err != nil {
					t.Errorf("Run = %v, want nil", err)
				}
			})
		})
	}
}

// TestMalformedAtOnce holds that clients which wait for an answer get one.
func TestMalformedAtOnce(t *testing.T) {
	for _, name := range []string{"no header", "no length", "other header only", "length not a number", "no JSON", "batch", "over the cap"} {
		i := slices.IndexFunc(malformed, func(m struct {
			name string
			raw  string
			want []string
		}) bool {
			return m.name == name
		})
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := dial(t, nil, Options{MaxBody: 1 << 20})
				p.write(malformed[i].raw)
				if got := p.settle(); len(got) != 1 {
					t.Errorf("answers = %q, want one", got)
				}
				p.hangUp()
			})
		})
	}
}

func TestCancel(t *testing.T) {
	for _, test := range []struct{ id, cancelled string }{
		{"7", "7"},
		{"9007199254740993", "9007199254740993"},
		{`"seven"`, `"seven"`},
		{`"é"`, `"\u00e9"`},
		{"3.5", "3.5"},
	} {
		t.Run(test.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := dial(t, map[string]Handler{
					"work":    untilDone,
					"release": func(ctx context.Context, _ json.RawMessage) (any, error) { Release(ctx); return untilDone(ctx, nil) },
					"partial": func(ctx context.Context, _ json.RawMessage) (any, error) { <-ctx.Done(); return "partial", nil },
					"never": func(context.Context, json.RawMessage) (any, error) {
						t.Error("a cancelled request ran")
						return nil, nil
					},
				}, Options{})
				cancelled := failure(test.id, CodeRequestCancelled, "request cancelled")

				p.send(request(test.id, "work"))
				p.want()
				p.send(cancelRequest(`"other"`), cancelRequest("70"), cancelRequest(`"7"`))
				p.want()
				p.send(cancelRequest(test.cancelled))
				p.want(cancelled)

				p.send(request(test.id, "release"))
				p.want()
				p.send(cancelRequest(test.cancelled))
				p.want(cancelled)

				p.send(request(test.id, "partial"))
				p.want()
				p.send(cancelRequest(test.cancelled), cancelRequest(test.cancelled))
				p.want(result(test.id, `"partial"`))

				p.send(request("1", "work"), request(test.id, "never"))
				p.want()
				p.send(cancelRequest(test.cancelled), cancelRequest("1"))
				p.want(failure("1", CodeRequestCancelled, "request cancelled"), cancelled)
				p.hangUp()
			})
		})
	}
}

func TestMalformedCancelIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, map[string]Handler{"ok": ok}, Options{})
		p.send(notification("$/cancelRequest"),
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":5}`,
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{}}`,
			cancelRequest("null"), cancelRequest("1"), cancelRequest("{}"), request("1", "ok"))
		p.want(result("1", `"ok"`))
		p.hangUp()
	})
}

func TestDuplicateID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, map[string]Handler{
			"work":    untilDone,
			"release": func(ctx context.Context, _ json.RawMessage) (any, error) { Release(ctx); return untilDone(ctx, nil) },
			"ok":      ok,
		}, Options{})
		cancelled := failure(`"a"`, CodeRequestCancelled, "request cancelled")
		refused := failure(`"\u0061"`, CodeInvalidRequest, `id "\u0061" is that of a request not yet answered`)

		p.send(request(`"a"`, "work"), request(`"\u0061"`, "ok"), request("1", "ok"))
		p.want()
		p.send(cancelRequest(`"a"`)) // still that of the first
		p.want(cancelled, refused, result("1", `"ok"`))

		p.send(request(`"a"`, "release"), request(`"\u0061"`, "ok"))
		p.want(refused)
		p.send(cancelRequest(`"a"`))
		p.want(cancelled)

		p.send(request(`"a"`, "ok"))
		p.want(result(`"a"`, `"ok"`))
		p.hangUp()
	})
}

func TestPipelined(t *testing.T) {
	const n = 10000
	synctest.Test(t, func(t *testing.T) {
		running, next := 0, 0
		handler := func(ctx context.Context, params json.RawMessage) (any, error) {
			running++
			i, _ := strconv.Atoi(string(params))
			if running != 1 || i != next {
				t.Errorf("message %d runs as number %d beside %d others", i, next, running-1)
			}
			next++
			runtime.Gosched()
			running--
			return i, nil
		}
		p := dial(t, map[string]Handler{"m": handler}, Options{})
		var bodies, want []string
		for i := range n {
			if i%3 == 0 {
				bodies = append(bodies, fmt.Sprintf(`{"jsonrpc":"2.0","method":"m","params":%d}`, i))
				continue
			}
			bodies = append(bodies, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m","params":%d}`, i, i))
			want = append(want, result(strconv.Itoa(i), strconv.Itoa(i)))
		}
		p.send(bodies...)
		p.want(want...)
		if next != n {
			t.Errorf("handled %d messages, want %d", next, n)
		}
		p.hangUp()
	})
}

// TestPipelinedUnread is a client that writes everything before it reads anything.
func TestPipelinedUnread(t *testing.T) {
	const n = 10000
	synctest.Test(t, func(t *testing.T) {
		p := dialStuck(t, map[string]Handler{"ok": ok}, Options{})
		var want []string
		for i := range n {
			p.send(request(strconv.Itoa(i), "ok"))
			want = append(want, result(strconv.Itoa(i), `"ok"`))
		}
		go p.readAll()
		p.want(want...)
		p.hangUp()
	})
}

// TestRelease is an edit as clients make it: the change comes before the answer.
func TestRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *peer
		changed := make(chan struct{})
		p = dial(t, map[string]Handler{
			"edit": func(ctx context.Context, _ json.RawMessage) (any, error) {
				Release(ctx)
				Release(ctx)
				var r struct{ Applied bool }
				if err := p.conn.Call(ctx, "workspace/applyEdit", map[string]int{"edit": 1}, &r); err != nil {
					return nil, err
				}
				<-changed
				return r, nil
			},
			"didChange": func(context.Context, json.RawMessage) (any, error) { close(changed); return nil, nil },
			"ok":        ok,
		}, Options{})
		p.send(request("1", "edit"), request("2", "ok"))
		got := p.settle()
		slices.Sort(got)
		want := []string{
			result("2", `"ok"`),
			`{"jsonrpc":"2.0","id":1,"method":"workspace/applyEdit","params":{"edit":1}}`,
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("server wrote (-want +got):\n%s", diff)
		}
		p.send(request("3", "ok"), notification("didChange"))
		p.want(result("3", `"ok"`))
		p.send(result("1", `{"applied":true}`))
		p.want(result("1", `{"Applied":true}`))
		p.hangUp()
	})
}

func TestReleaseOutsideHandler(t *testing.T) {
	Release(t.Context())
	synctest.Test(t, func(t *testing.T) {
		var late context.Context
		running := 0
		p := dial(t, map[string]Handler{
			"keep": func(ctx context.Context, _ json.RawMessage) (any, error) { late = ctx; return nil, nil },
			"work": func(ctx context.Context, _ json.RawMessage) (any, error) {
				running++
				Release(late) // of a handler that has returned
				return untilDone(ctx, nil)
			},
		}, Options{})
		p.send(request("1", "keep"), request("2", "work"), request("3", "work"))
		p.want(result("1", "null"))
		if running != 1 {
			t.Errorf("%d handlers run, want 1", running)
		}
		p.hangUp()
	})
}

func TestReleasedContextOfDerived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, map[string]Handler{
			"work": func(ctx context.Context, _ json.RawMessage) (any, error) {
				ctx, cancel := context.WithTimeout(ctx, time.Hour)
				defer cancel()
				Release(ctx)
				return untilDone(ctx, nil)
			},
			"ok": ok,
		}, Options{})
		p.send(request("1", "work"), request("2", "ok"))
		p.want(result("2", `"ok"`))
		p.send(cancelRequest("1"))
		p.want(failure("1", CodeRequestCancelled, "request cancelled"))
		p.hangUp()
	})
}

func TestCall(t *testing.T) {
	const sent = `{"jsonrpc":"2.0","id":1,"method":"m"}`
	for _, test := range []struct {
		name   string
		answer string
		want   any
		err    error
	}{
		{"result", result("1", `{"a":1}`), map[string]any{"a": 1.0}, nil},
		{"null", result("1", `null`), nil, nil},
		{"id of a client with floats", result("1.0", `5`), 5.0, nil},
		{"both members", `{"jsonrpc":"2.0","id":1,"result":5,"error":null}`, 5.0, nil},
		{"no version", `{"id":1,"result":5}`, 5.0, nil},
		{"no result", `{"jsonrpc":"2.0","id":1,"error":null}`, nil, nil},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":[1]}}`, nil,
			&ClientError{"m", CodeMethodNotFound, "no", json.RawMessage("[1]")}},
		{"malformed error", `{"jsonrpc":"2.0","id":1,"error":"no"}`, nil, &ClientError{"m", 0, `"no"`, nil}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// The handler does not release the queue: its answer overtakes what is queued.
				var p *peer
				p = dial(t, map[string]Handler{
					"call": func(ctx context.Context, _ json.RawMessage) (any, error) {
						var got any
						err := p.conn.Call(ctx, "m", nil, &got)
						if diff := cmp.Diff(test.err, err); diff != "" {
							t.Errorf("Call: error (-want +got):\n%s", diff)
						}
						return got, nil
					},
					"ok": ok,
				}, Options{})
				p.send(notification("$/x"), request("1", "call"), request("2", "ok"))
				p.want(sent)
				p.send(result("12", "1"), result(`"1"`, "1"), result("1.5", "1"), test.answer, test.answer)
				want, _ := json.Marshal(test.want)
				p.want(result("1", string(want)), result("2", `"ok"`))
				if diff := cmp.Diff(slices.Repeat([]string{"ignoring answer to no request"}, 4), p.logged()); diff != "" {
					t.Errorf("logged (-want +got):\n%s", diff)
				}
				p.hangUp()
			})
		})
	}
}

func TestCallThatCannotBeEncodedOrDecoded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, nil, Options{})
		if err := p.conn.Call(t.Context(), "m", func() {}, nil); err == nil {
			t.Error("Call with a func for params succeeds")
		}
		if err := p.conn.Notify(t.Context(), "m", func() {}); err == nil {
			t.Error("Notify with a func for params succeeds")
		}
		p.want()
		done := make(chan error)
		go func() { var n int; done <- p.conn.Call(t.Context(), "m", nil, &n) }()
		p.settle()
		p.send(result("1", `"x"`))
		if err := <-done; err == nil || !strings.HasPrefix(err.Error(), "decoding the answer to m: ") {
			t.Errorf("Call = %v", err)
		}
		p.hangUp()
	})
}

// TestCallEnds holds that a pending call ends with whatever it waits for.
func TestCallEnds(t *testing.T) {
	for _, stuck := range []bool{false, true} {
		for _, test := range []struct {
			name string
			end  func(p *peer, cancel func())
			want error
		}{
			{"cancelled", func(_ *peer, cancel func()) { cancel() }, context.Canceled},
			{"closed", func(p *peer, _ func()) { p.conn.Close() }, ErrClosed},
			{"end of input", func(p *peer, _ func()) { p.in.Close() }, ErrClosed},
			{"client gone", func(p *peer, _ func()) { p.in.Close(); p.out.Close() }, ErrClosed},
		} {
			t.Run(fmt.Sprintf("%s, stuck %t", test.name, stuck), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := dialStuck(t, nil, Options{})
					if !stuck {
						go p.readAll()
					}
					ctx, cancel := context.WithCancel(t.Context())
					done := make(chan error, 1)
					go func() { done <- p.conn.Call(ctx, "m", nil, nil) }()
					synctest.Wait()
					test.end(p, cancel)
					synctest.Wait()
					select {
					case err := <-done:
						if err != test.want {
							t.Errorf("Call = %v, want %v", err, test.want)
						}
					default:
						t.Errorf("Call hangs")
					}
					cancel()
					if test.want == context.Canceled {
						if stuck {
							go p.readAll()
						}
						p.want(`{"jsonrpc":"2.0","id":1,"method":"m"}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
						p.send(result("1", "null"))
						synctest.Wait()
						if diff := cmp.Diff([]string{"ignoring answer to no request"}, p.logged()); diff != "" {
							t.Errorf("logged (-want +got):\n%s", diff)
						}
					}
					p.hangUp()
					if err := p.conn.Call(t.Context(), "m", nil, nil); err != ErrClosed {
						t.Errorf("Call after the end = %v, want %v", err, ErrClosed)
					}
					if err := p.conn.Notify(t.Context(), "m", nil); err != ErrClosed {
						t.Errorf("Notify after the end = %v, want %v", err, ErrClosed)
					}
				})
			})
		}
	}
}

// A burst is an input that blocks until it is open and is then read without waiting.
type burst struct {
	open chan struct{}
	text io.Reader
	io.WriteCloser
}

func (b burst) Read(p []byte) (int, error) {
	<-b.open
	return b.text.Read(p)
}

type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// TestCallAnsweredJustBeforeTheEnd is about a caller that finds the answer and the end at once, which
// cannot be had from outside at will.
func TestCallAnsweredJustBeforeTheEnd(t *testing.T) {
	c := NewConn(burst{}, nil, Options{})
	answers := make(chan answer, 1)
	answers <- answer{}
	for _, want := range []error{nil, ErrClosed} {
		if err := c.lastAnswer(answers, "m", nil); err != want {
			t.Errorf("lastAnswer = %v, want %v", err, want)
		}
	}
}

// TestCloseThatDoesNotInterrupt is a standard input whose Read goes on after it is closed.
func TestCloseThatDoesNotInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := burst{make(chan struct{}), strings.NewReader(framed(notification("late"))), nowhere{io.Discard}}
		c := NewConn(b, map[string]Handler{
			"late": func(context.Context, json.RawMessage) (any, error) {
				t.Error("a message after Close ran")
				return nil, nil
			},
		}, Options{})
		run, call := make(chan error), make(chan error)
		go func() { run <- c.Run(t.Context()) }()
		go func() { call <- c.Call(t.Context(), "m", nil, nil) }()
		synctest.Wait()
		start := time.Now()
		c.Close()
		if err := <-call; err != ErrClosed {
			t.Errorf("Call = %v, want %v", err, ErrClosed)
		}
		if err := <-run; err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("Run waited %v", d)
		}
		close(b.open)
	})
}

func TestCallCancelledBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, nil, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.conn.Call(ctx, "m", nil, nil); err != context.Canceled {
			t.Errorf("Call = %v, want %v", err, context.Canceled)
		}
		p.want()
		p.hangUp()
	})
}

// TestCancelledContextStillWrites is the end of the progress of a cancelled request, and its answer.
func TestCancelledContextStillWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *peer
		p = dial(t, map[string]Handler{"work": func(ctx context.Context, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			return nil, errors.Join(p.conn.Notify(ctx, "end", []int{1}), ctx.Err())
		}}, Options{})
		p.send(request("1", "work"))
		p.want()
		p.send(cancelRequest("1"))
		p.want(`{"jsonrpc":"2.0","method":"end","params":[1]}`, failure("1", CodeRequestCancelled, "request cancelled"))
		p.hangUp()
	})
}

// TestStuckClient is a client that does not read: messages are still read and requests cancelled, and
// what was to be written comes whole and in order once it reads.
func TestStuckClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cancelled := make(chan struct{})
		p := dialStuck(t, map[string]Handler{
			"work": func(ctx context.Context, _ json.RawMessage) (any, error) {
				Release(ctx)
				<-ctx.Done()
				close(cancelled)
				return nil, ctx.Err()
			},
			"ok": ok,
		}, Options{})
		p.send(request("1", "work"), request("2", "ok"), request("3", "ok"))
		synctest.Wait()
		p.send(notification("$/x"), cancelRequest("1"))
		<-cancelled
		synctest.Wait()
		go p.readAll()
		got := p.settle()
		slices.Sort(got)
		want := []string{failure("1", CodeRequestCancelled, "request cancelled"), result("2", `"ok"`), result("3", `"ok"`)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("server wrote (-want +got):\n%s", diff)
		}
		p.hangUp()
	})
}

func TestStuckClientAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dialStuck(t, map[string]Handler{"ok": ok}, Options{})
		p.send(request("1", "ok"), request("2", "ok"))
		synctest.Wait()
		if err := p.hangUp(); err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
	})
}

// A splitter writes in pieces, between which others get their turn.
type splitter struct{ io.WriteCloser }

func (s splitter) Write(p []byte) (int, error) {
	n, err := s.WriteCloser.Write(p[:len(p)/2])
	if err != nil {
		return n, err
	}
	m, err := s.WriteCloser.Write(p[len(p)/2:])
	return n + m, err
}

// TestFramesAreWhole has answers, requests and notifications written at once; readBody checks the frames.
func TestFramesAreWhole(t *testing.T) {
	const n = 200
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		p := &peer{t: t, in: inW, out: outR, run: make(chan error, 1)}
		p.conn = NewConn(struct {
			io.Reader
			io.WriteCloser
		}{inR, splitter{outW}}, map[string]Handler{"ok": ok}, Options{})
		go p.readAll()
		go func() { p.run <- p.conn.Run(t.Context()) }()
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { p.conn.Notify(t.Context(), "n", []string{strings.Repeat("x", 97*i%5000)}) })
			wg.Go(func() { p.conn.Call(ctx, "c", nil, nil) })
			wg.Go(func() { p.send(request(strconv.Itoa(i), "ok")) })
		}
		if got := len(p.settle()); got != 3*n {
			t.Errorf("read %d frames, want %d", got, 3*n)
		}
		cancel()
		wg.Wait()
		p.hangUp()
	})
}

func TestEndOfInput(t *testing.T) {
	for _, test := range []struct {
		raw  string
		want error
	}{
		{"", nil},
		{"\r\n", nil},
		{framed(request("1", "ok")), nil},
		{"C", io.ErrUnexpectedEOF},
		{"Content-Length: 5\r\n", io.ErrUnexpectedEOF},
		{"Content-Length: 5\r\n\r\n", io.ErrUnexpectedEOF},
		{"Content-Length: 5\r\n\r\n{}", io.ErrUnexpectedEOF},
		{framed(request("1", "ok")) + "Content-Length: 5\r\n\r\n{}", io.ErrUnexpectedEOF},
		{"Content-Length: 9999999999\r\n\r\n{}", nil}, // refused already
		{"garbage\n", nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := dial(t, map[string]Handler{"ok": ok}, Options{})
			p.write(test.raw)
			start := time.Now()
			defer func() {
				if d := time.Since(start); d != 0 {
					t.Errorf("%q: Run waited %v", test.raw, d)
				}
			}()
			if err := p.hangUp(); !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Errorf("%q: Run = %v, want %v", test.raw, err, test.want)
			}
		})
	}
}

// TestEndOfInputDrains is a client that says exit and hangs up at once.
func TestEndOfInputDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *peer
		var ran []string
		entered, resume := make(chan struct{}), make(chan struct{})
		p = dial(t, map[string]Handler{
			"slow":    func(context.Context, json.RawMessage) (any, error) { close(entered); <-resume; return nil, nil },
			"release": func(ctx context.Context, _ json.RawMessage) (any, error) { Release(ctx); return untilDone(ctx, nil) },
			"shutdown": func(ctx context.Context, _ json.RawMessage) (any, error) {
				ran = append(ran, "shutdown")
				return nil, ctx.Err()
			},
			"exit": func(context.Context, json.RawMessage) (any, error) {
				ran = append(ran, "exit")
				p.conn.Close()
				return nil, nil
			},
			"never": func(context.Context, json.RawMessage) (any, error) {
				t.Error("a message after exit ran")
				return nil, nil
			},
		}, Options{})
		p.send(request("2", "release"), request("0", "slow"), request("1", "shutdown"), notification("exit"), notification("never"))
		<-entered
		p.in.Close()
		synctest.Wait()
		close(resume)
		start := time.Now()
		if err := <-p.run; err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("Run waited %v", d)
		}
		if diff := cmp.Diff([]string{"shutdown", "exit"}, ran); diff != "" {
			t.Errorf("handled (-want +got):\n%s", diff)
		}
		p.want(result("0", "null"), result("1", "null"))
	})
}

// TestEndCancels holds that no handler outlives the connection.
func TestEndCancels(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(p *peer, cancel func())
		want error
		wait time.Duration
	}{
		{"end of input", func(p *peer, _ func()) { p.in.Close() }, nil, time.Minute},
		{"client gone", func(p *peer, _ func()) { p.in.Close(); p.out.Close() }, nil, time.Minute},
		{"close", func(p *peer, _ func()) { p.conn.Close() }, nil, 0},
		{"context", func(_ *peer, cancel func()) { cancel() }, context.Canceled, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				inR, inW := io.Pipe()
				outR, outW := io.Pipe()
				ended := 0
				p := &peer{t: t, in: inW, out: outR, run: make(chan error, 1)}
				p.conn = NewConn(halves{inR, outW}, map[string]Handler{
					"work": func(ctx context.Context, _ json.RawMessage) (any, error) {
						defer func() { ended++ }()
						return untilDone(ctx, nil)
					},
					"release": func(ctx context.Context, _ json.RawMessage) (any, error) { Release(ctx); return untilDone(ctx, nil) },
					"never":   func(context.Context, json.RawMessage) (any, error) { t.Error("a queued message ran"); return nil, nil },
				}, Options{Grace: time.Minute})
				go p.readAll()
				go func() { p.run <- p.conn.Run(ctx) }()
				p.send(request("1", "release"), notification("work"), notification("never"), request("2", "never"))
				synctest.Wait()
				start := time.Now()
				test.end(p, cancel)
				if err := <-p.run; err != test.want {
					t.Errorf("Run = %v, want %v", err, test.want)
				}
				if d := time.Since(start); d != test.wait {
					t.Errorf("Run took %v, want %v", d, test.wait)
				}
				if ended != 1 {
					t.Error("Run returned before its handlers")
				}
				cancel()
			})
		})
	}
}

func TestHandlerThatIgnoresTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resume := make(chan struct{})
		p := dial(t, map[string]Handler{
			"deaf": func(context.Context, json.RawMessage) (any, error) { <-resume; return nil, nil },
		}, Options{})
		p.send(request("1", "deaf"))
		if err := p.hangUp(); err == nil || !strings.Contains(err.Error(), "still runs") {
			t.Errorf("Run = %v", err)
		}
		close(resume)
	})
}

func TestWriteFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dialStuck(t, map[string]Handler{"ok": ok}, Options{})
		broken := errors.New("broken")
		p.out.CloseWithError(broken)
		p.send(request("1", "ok"))
		if err := <-p.run; !errors.Is(err, broken) {
			t.Errorf("Run = %v, want %v", err, broken)
		}
	})
}

func TestNothingAfterPartOfFrame(t *testing.T) {
	w := &failsOnce{}
	s := newStream(struct {
		io.Reader
		io.WriteCloser
	}{strings.NewReader(""), nowhere{w}}, 1, zap.NewNop())
	f, err := encodeResult("1", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.writeFrame(f); err != io.ErrShortWrite {
			t.Errorf("writeFrame = %v, want %v", err, io.ErrShortWrite)
		}
	}
	if w.writes != 1 {
		t.Errorf("%d writes, want 1", w.writes)
	}
}

type failsOnce struct{ writes int }

func (w *failsOnce) Write(p []byte) (int, error) {
	w.writes++
	if w.writes == 1 {
		return 1, io.ErrShortWrite
	}
	return len(p), nil
}
