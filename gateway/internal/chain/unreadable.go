package chain

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
)

// Unreadable wraps a listener and its server so that requests that net/http cannot parse get a response in the
// listener's error format with a request id (behaviour: errors#unreadable-requests). No handler sees such a
// request: net/http writes its own text and closes the connection. The wrapped connection recognizes that text
// and replaces it, but keeps the status.
//
// A handler may write the same text as data, so the connection checks only while no handler is responding.
// Unreadable sets ConnContext and ConnState, so it must be called before the server starts to serve.
func Unreadable(s *http.Server, accepting net.Listener, c Config, l Listener) net.Listener {
	answer := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connKey{}).(*unreadableConn); ok {
			conn.answering.Store(true)
		}
		answer.ServeHTTP(w, r)
	})
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
	// net/http reports StateIdle after the last write of a response and before it reads the next request.
	s.ConnState = func(conn net.Conn, state http.ConnState) {
		if one, ok := conn.(*unreadableConn); ok && state == http.StateIdle {
			one.answering.Store(false)
		}
	}
	return &unreadableListener{Listener: accepting, answers: middleware{Config: c, Listener: l, meter: newMeter(l.Name, nil)}}
}

// connKey is the context key of a request's connection.
type connKey struct{}

type unreadableListener struct {
	net.Listener
	answers middleware
}

func (l *unreadableListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &unreadableConn{Conn: conn, answers: l.answers}, nil
}

type unreadableConn struct {
	net.Conn
	answers middleware
	// answering is true from the time a handler is called until its response has been written.
	answering atomic.Bool
}

func (c *unreadableConn) Write(b []byte) (int, error) {
	if c.answering.Load() {
		return c.Conn.Write(b)
	}
	status, refused := refusalOf(b)
	if !refused {
		return c.Conn.Write(b)
	}
	answered, err := c.answers.unreadable(status, c.RemoteAddr())
	if err != nil {
		return 0, err
	}
	if _, err := c.Conn.Write(answered); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refusalHeaders are the headers of every response that net/http writes without a handler (errorHeaders in
// net/http's conn.serve).
const refusalHeaders = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// refusalOf reports whether b is a response that net/http writes without a handler, and returns its status.
// Such responses include the empty 417 for an unknown Expect.
func refusalOf(b []byte) (status int, refused bool) {
	const version = "HTTP/1.1 "
	rest, ok := bytes.CutPrefix(b, []byte(version))
	if !ok || len(rest) < 3 {
		return 0, false
	}
	status, err := strconv.Atoi(string(rest[:3]))
	if err != nil {
		return 0, false
	}
	_, headers, _ := bytes.Cut(rest, []byte("\r\n"))
	return status, status == http.StatusExpectationFailed || bytes.HasPrefix(headers, []byte(refusalHeaders))
}

// unreadable returns the complete response to a request that could not be parsed.
func (m middleware) unreadable(status int, from net.Addr) ([]byte, error) {
	requestID := id.New("req")
	exchange := &Exchange{Route: unmatched, Fail: m.Fail}
	ctx := context.WithValue(grpcx.WithRequestID(context.Background(), requestID), exchangeKey{}, exchange)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = from.String()
	exchange.ClientIP = m.Proxies.clientIP(r) // the peer's address, because no X-Forwarded-For was read
	kept := &keptAnswer{header: http.Header{RequestIDHeader: {requestID}}}
	m.headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.Fail(w, r, errs.New(errs.Invalid, answer.CodeInvalid, "The request is not one that HTTP allows: %s.", http.StatusText(status)))
	})).ServeHTTP(kept, r)
	m.meter.count(unmatched, "", status, 0)
	m.log(ctx, line{route: unmatched, status: status, bytes: int64(kept.body.Len())})
	resp := http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: kept.header, Close: true,
		ContentLength: int64(kept.body.Len()), Body: io.NopCloser(&kept.body),
	}
	var out bytes.Buffer
	err = resp.Write(&out)
	return out.Bytes(), err
}

// keptAnswer buffers a response. It ignores the status, because net/http has already chosen it.
type keptAnswer struct {
	header http.Header
	body   bytes.Buffer
}

func (k *keptAnswer) Header() http.Header         { return k.header }
func (k *keptAnswer) WriteHeader(int)             {}
func (k *keptAnswer) Write(b []byte) (int, error) { return k.body.Write(b) }

// NetConn returns the wrapped connection.
func (c *unreadableConn) NetConn() net.Conn { return c.Conn }
