package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// A turn is one message on its way through the queue, and the context its handler gets.
type turn struct {
	context.Context
	cancel context.CancelFunc // nil for a notification, whose context is that of the connection
	conn   *Conn
	msg    *message
	passed atomic.Bool // the next message may start
}

type turnKey struct{}

func (t *turn) Value(key any) any {
	if key == (turnKey{}) {
		return t
	}
	return t.Context.Value(key)
}

// Release lets the next message be handled while the handler that was given ctx goes on.
// Handlers that wait for the client call it. It does nothing the second time, or if ctx is no handler's.
func Release(ctx context.Context) {
	t, ok := ctx.Value(turnKey{}).(*turn)
	if ok && t.passed.CompareAndSwap(false, true) {
		// The caller is itself a task, so this may be started even while the connection ends.
		t.conn.tasks.Go(t.conn.dispatch)
	}
}

// accept takes a message from the reading goroutine, which it must not hold up.
func (c *Conn) accept(ctx context.Context, _ jsonrpc2.Replier, req jsonrpc2.Request) error {
	msg := req.(*message)
	if msg.method == "$/cancelRequest" && msg.id == "" {
		c.cancelRequest(msg.params)
		return nil
	}
	t := &turn{Context: ctx, conn: c, msg: msg}
	if msg.id != "" {
		t.Context, t.cancel = context.WithCancel(ctx)
	}
	if c.enqueue(t) {
		// A lone request is answered sooner if the dispatcher runs before this goroutine asks the system
		// for input that has not come.
		runtime.Gosched()
	}
	// An error would end the connection.
	return nil
}

// enqueue reports whether t is alone in the queue.
//
// The queue has no bound: a client may write all its requests before it reads an answer, and an answer
// of the client, which must not wait, may stand behind any number of them.
func (c *Conn) enqueue(t *turn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	if t.msg.id != "" && t.msg.refusal == nil {
		key := idKey(t.msg.id)
		if _, dup := c.inflight[key]; dup {
			t.msg.refusal = Errorf(CodeInvalidRequest, "id %s is that of a request not yet answered", t.msg.id)
		} else {
			c.inflight[key] = t
		}
	}
	alone := c.queue.empty()
	c.queue.push(t)
	c.ready.Signal()
	return alone
}

// cancelRequest cancels the request with the id in params, queued or running.
func (c *Conn) cancelRequest(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		c.log.Warn("ignoring malformed $/cancelRequest", zap.Error(err))
		return
	}
	c.mu.Lock()
	t := c.inflight[idKey(string(p.ID))]
	c.mu.Unlock()
	if t != nil {
		t.cancel()
	}
}

// dispatch handles queued messages until the connection ends, or until a handler has let another
// dispatcher take over by calling Release.
func (c *Conn) dispatch() {
	for {
		t := c.next()
		if t == nil || !c.take(t) {
			return
		}
	}
}

// next returns the next message, nil if there will be none.
func (c *Conn) next() *turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.isClosed():
			return nil
		case !c.queue.empty():
			return c.queue.pop()
		case c.ended:
			return nil
		}
		c.ready.Wait()
	}
}

// take handles and answers one message, and reports whether its dispatcher goes on.
func (c *Conn) take(t *turn) bool {
	done := false
	defer func() {
		if !done {
			// The handler has called runtime.Goexit, which takes the dispatcher with it.
			c.answer(t, nil, Errorf(CodeInternal, "%s: the handler gave up", t.msg.method))
			Release(t)
		}
	}()
	result, err := c.handle(t)
	c.answer(t, result, err)
	done = true
	return t.passed.CompareAndSwap(false, true)
}

// handle routes one message.
func (c *Conn) handle(t *turn) (result any, err error) {
	method := t.msg.method
	if t.msg.refusal != nil {
		return nil, t.msg.refusal
	}
	if err := t.Err(); err != nil {
		return nil, err
	}
	if c.gate != nil {
		if refusal := c.gate(method); refusal != nil {
			return nil, refusal
		}
	}
	h, ok := c.handlers[method]
	if !ok {
		return nil, &Error{Code: CodeMethodNotFound, Message: "method not found: " + strconv.Quote(method)}
	}
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("handler panicked", zap.String("method", method), zap.Any("panic", p), zap.Stack("stack"))
			result, err = nil, Errorf(CodeInternal, "%s: panic: %v", method, p)
		}
	}()
	return h(t, t.msg.params)
}

// answer ends t: it writes the answer to a request, or logs the failure of a notification.
func (c *Conn) answer(t *turn, result any, err error) {
	refusal := wireError(t, err)
	if t.msg.id == "" {
		if refusal != nil {
			c.logNotification(t.msg.method, refusal)
		}
		return
	}
	t.cancel()
	frame := c.encodeAnswer(t.msg, result, refusal)
	defer frame.free()

	// The id is free again before the client can know.
	key := idKey(t.msg.id)
	c.mu.Lock()
	if c.inflight[key] == t {
		delete(c.inflight, key)
	}
	c.mu.Unlock()
	c.written(c.stream.writeFrame(frame))
}

func (c *Conn) encodeAnswer(msg *message, result any, refusal *Error) *frame {
	if refusal == nil {
		f, err := encodeResult(msg.id, result)
		if err == nil {
			return f
		}
		c.log.Error("result cannot be encoded", zap.String("method", msg.method), zap.Error(err))
		refusal = Errorf(CodeInternal, "encoding the result of %s: %v", msg.method, err)
	}
	f, err := encodeError(msg.id, refusal)
	if err != nil {
		f, _ = encodeError(msg.id, Errorf(refusal.Code, "%s (its data cannot be encoded: %v)", refusal.Message, err))
	}
	return f
}

func (c *Conn) logNotification(method string, refusal *Error) {
	switch {
	case refusal.Code == CodeMethodNotFound && strings.HasPrefix(method, "$/"):
	case refusal.Code == CodeMethodNotFound:
		c.log.Info("ignoring unknown notification", zap.String("method", method))
	default:
		c.log.Warn("notification failed", zap.String("method", method), zap.Int("code", refusal.Code), zap.String("error", refusal.Message))
	}
}

// wireError returns the error the client is told, nil if err is nil.
func wireError(ctx context.Context, err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		if e == nil || e == err {
			return e
		}
		return &Error{Code: e.Code, Message: err.Error(), Data: e.Data}
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return Errorf(CodeRequestCancelled, "request cancelled")
	}
	return &Error{Code: CodeInternal, Message: err.Error()}
}

// turns is a queue whose zero value is empty.
type turns struct {
	list []*turn // those before head are nil
	head int
}

func (q *turns) empty() bool { return q.head == len(q.list) }

func (q *turns) push(t *turn) {
	if q.head > 64 && q.head > len(q.list)/2 {
		n := copy(q.list, q.list[q.head:])
		clear(q.list[n:])
		q.list, q.head = q.list[:n], 0
	}
	q.list = append(q.list, t)
}

func (q *turns) pop() *turn {
	t := q.list[q.head]
	q.list[q.head] = nil
	q.head++
	if q.empty() {
		q.list, q.head = q.list[:0], 0
	}
	return t
}
