package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// Handler answers one request or takes one notification.
//
// params is the raw value of the message, nil if it has none; it may be kept.
// A nil result of a request becomes JSON null.
// ctx ends with the connection; that of a request also when the client cancels it or it has been answered.
type Handler func(ctx context.Context, params json.RawMessage) (result any, err error)

// Options are the knobs of a [Conn].
type Options struct {
	// Log takes what cannot be told to the client. Nil discards it.
	Log *zap.Logger

	// Gate, if set, is asked before each message is handled, in its turn.
	// A request is refused with the error it returns, a notification dropped.
	Gate func(method string) *Error

	// MaxBody is the largest accepted body in bytes. Zero means 256 MiB.
	MaxBody int64

	// Grace bounds each of the two waits at the end of [Conn.Run]: that for messages already received
	// when the input ended, and that for handlers whose context has been cancelled.
	// Zero means one second.
	Grace time.Duration
}

// Conn is one client connection.
//
// Messages are handled strictly in order and one at a time: the next starts when the handler of the
// last has returned or called [Release]. Only $/cancelRequest and answers of the client overtake.
type Conn struct {
	handlers map[string]Handler
	log      *zap.Logger
	gate     func(method string) *Error
	grace    time.Duration

	stream *stream
	rpc    jsonrpc2.Conn

	closeOnce sync.Once
	closeErr  error         // written before closed is closed
	closed    chan struct{} // Close was called

	// tasks counts the dispatcher, the handlers that have released it, and writes on behalf of Call.
	tasks sync.WaitGroup

	mu       sync.Mutex
	queue    turns
	inflight map[string]*turn // requests queued or running, by idKey
	ended    bool             // nothing more is queued, and only tasks may start tasks
	ready    sync.Cond        // on mu: the queue is not empty, or ended
}

// NewConn returns a connection over rwc that is served by [Conn.Run].
// Closing rwc must interrupt its Read and Write where the system allows that.
func NewConn(rwc io.ReadWriteCloser, handlers map[string]Handler, opts Options) *Conn {
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = 256 << 20
	}
	if opts.Grace == 0 {
		opts.Grace = time.Second
	}
	s := newStream(rwc, opts.MaxBody, opts.Log)
	c := &Conn{
		handlers: handlers,
		log:      opts.Log,
		gate:     opts.Gate,
		grace:    opts.Grace,
		stream:   s,
		rpc:      jsonrpc2.NewConn(s),
		closed:   make(chan struct{}),
		inflight: make(map[string]*turn),
	}
	c.ready.L = &c.mu
	return c
}

// Run serves the client until its input ends, [Conn.Close] is called or ctx is done.
// It must be called once.
//
// When the input ends, messages already received are still handled in order, so that an exit
// notification followed by the end of the input takes effect; requests to the client fail at once.
// After Options.Grace, and at once in the other cases, the contexts of handlers are cancelled and what
// is queued is dropped. Every goroutine Run started has then ended when it returns, but for handlers
// that ignore their context for longer than Options.Grace (an error says so), and a Read that closing
// rwc cannot interrupt (an inherited standard input on some systems).
//
// The error is nil at the end of the input between two messages and after Close.
func (c *Conn) Run(ctx context.Context) error {
	base, cancel := context.WithCancel(ctx)
	defer cancel()
	c.tasks.Go(c.dispatch)
	c.rpc.Go(base, c.accept)

	var readErr error
	select {
	case <-c.rpc.Done():
		if !c.isClosed() {
			readErr = c.rpc.Err()
		}
		select {
		case <-c.idle():
		case <-time.After(c.grace):
		case <-c.closed:
		case <-ctx.Done():
		}
	case <-c.closed:
	case <-ctx.Done():
	}
	c.Close()
	cancel()

	select {
	case <-c.idle():
	case <-time.After(c.grace):
		return fmt.Errorf("closing the connection: a handler still runs %v after its context was cancelled", c.grace)
	}
	if err := c.stream.writeErr(); err != nil {
		return fmt.Errorf("writing to the client: %w", err)
	}
	if readErr != nil && readErr != io.EOF {
		return fmt.Errorf("reading from the client: %w", readErr)
	}
	return ctx.Err()
}

// Close ends the connection: what is still queued is not handled, and nothing more is written.
// It may be called by a handler, and more than once.
func (c *Conn) Close() error {
	c.closeOnce.Do(func() {
		close(c.closed)
		c.stream.stop()
		c.closeErr = c.stream.rwc.Close()
	})
	return c.closeErr
}

func (c *Conn) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// Call sends a request to the client and decodes the answer into result, which may be nil.
// It returns when the client has answered, when ctx is done (the client is told), or with [ErrClosed]
// when no answer can come any more. An error answered by the client is a [*ClientError].
//
// A handler that calls the client should call [Release] first if the client may need another message
// handled before it answers.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := encodeParams(params)
	if err != nil {
		return fmt.Errorf("encoding params of %s: %w", method, err)
	}
	id, answers := c.stream.expect()
	defer c.stream.forget(id)

	// A client that does not read must not keep the caller beyond ctx, so the write has its own goroutine.
	sent := make(chan error, 1)
	if !c.start(func() { sent <- c.send(ctx, id, method, raw) }) {
		return ErrClosed
	}
	sending := (<-chan error)(sent)
	for {
		select {
		case err := <-sending:
			if err != nil {
				return err
			}
			sending = nil
		case a := <-answers:
			return a.decode(method, result)
		case <-ctx.Done():
			if len(answers) > 0 {
				continue
			}
			c.start(func() {
				if sending == nil || <-sending == nil {
					c.Notify(ctx, "$/cancelRequest", struct {
						ID int32 `json:"id"`
					}{id})
				}
			})
			return ctx.Err()
		case <-c.closed:
			return c.lastAnswer(answers, method, result)
		case <-c.rpc.Done():
			return c.lastAnswer(answers, method, result)
		}
	}
}

func (c *Conn) send(ctx context.Context, id int32, method string, params json.RawMessage) error {
	call, err := jsonrpc2.NewCall(jsonrpc2.NewNumberID(id), method, params)
	if err != nil {
		return err
	}
	_, err = c.stream.Write(ctx, call)
	return c.written(err)
}

// written makes of a failed write the end of the connection.
func (c *Conn) written(err error) error {
	if err == nil {
		return nil
	}
	c.log.Info("message not delivered", zap.Error(err))
	c.Close()
	return ErrClosed
}

// lastAnswer prefers an answer read just before the connection ended to the end.
func (c *Conn) lastAnswer(answers <-chan answer, method string, result any) error {
	select {
	case a := <-answers:
		return a.decode(method, result)
	default:
		return ErrClosed
	}
}

// Notify sends a notification to the client. When it returns nil the whole frame has been written.
//
// It is not interrupted by ctx: a cancelled handler must still be able to end its progress, and a frame
// must not overtake one sent earlier. While the client does not read, it blocks until the connection ends.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	raw, err := encodeParams(params)
	if err != nil {
		return fmt.Errorf("encoding params of %s: %w", method, err)
	}
	return c.written(c.rpc.Notify(ctx, method, raw))
}

// start runs f as a task, and reports false if the connection has ended.
func (c *Conn) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.isClosed() {
		return false
	}
	c.tasks.Go(f)
	return true
}

// idle returns a channel that is closed when everything queued has been handled and no task is left.
func (c *Conn) idle() <-chan struct{} {
	c.mu.Lock()
	c.ended = true
	c.ready.Broadcast()
	c.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		c.tasks.Wait()
		close(idle)
	}()
	return idle
}
