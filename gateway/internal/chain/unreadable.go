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

// Unreadable wraps the listener of a door, and hooks the server that serves it, so that
// requests which net/http cannot read are answered in the shape of the door, with a
// request id. No handler sees such a request: net/http writes its own text to the
// connection and closes it. So the connection looks for that text, and writes the door's
// failure in its place, with the same status (behaviour: errors#unreadable-requests).
//
// The same text in an answer of a handler is data that somebody has stored. So the
// server's hooks tell the connection when a handler answers, and it does not look then.
// Call it before the server serves. It sets ConnContext and ConnState.
func Unreadable(s *http.Server, l net.Listener, c Config, d Door) net.Listener {
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
	// net/http makes a connection idle after the last write of an answer, and before it
	// reads the next request.
	s.ConnState = func(conn net.Conn, state http.ConnState) {
		if one, ok := conn.(*unreadableConn); ok && state == http.StateIdle {
			one.answering.Store(false)
		}
	}
	return &unreadableListener{Listener: l, door: listener{Config: c, Door: d, meter: newMeter(d.Name, nil)}}
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

type unreadableListener struct {
	net.Listener
	door listener
}

// Accept implements net.Listener.
func (l *unreadableListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &unreadableConn{Conn: conn, door: l.door}, nil
}

type unreadableConn struct {
	net.Conn
	door listener
	// answering is true from the call of a handler until its answer is written.
	answering atomic.Bool
}

// Write implements net.Conn.
func (c *unreadableConn) Write(b []byte) (int, error) {
	if c.answering.Load() {
		return c.Conn.Write(b)
	}
	status, refused := refusalOf(b)
	if !refused {
		return c.Conn.Write(b)
	}
	answered, err := c.door.unreadable(status, c.RemoteAddr())
	if err != nil {
		return 0, err
	}
	if _, err := c.Conn.Write(answered); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refusalHeaders are the headers of every answer that net/http gives by itself before
// a handler runs (errorHeaders in net/http's conn.serve).
const refusalHeaders = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// refusalOf reports whether b, which no handler has written, is an answer of net/http
// itself, and its status. An unknown Expect is answered without a handler too, by an
// empty 417.
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

// unreadable is the whole answer to a request that could not be read, as it is sent.
func (l listener) unreadable(status int, from net.Addr) ([]byte, error) {
	requestID := id.New("req")
	exchange := &Exchange{Route: unmatched, Fail: l.Fail}
	ctx := context.WithValue(grpcx.WithRequestID(context.Background(), requestID), exchangeKey{}, exchange)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = from.String()
	exchange.ClientIP = l.Proxies.clientIP(r) // the peer: a header that names another client was not read
	kept := &keptAnswer{header: http.Header{RequestIDHeader: {requestID}}}
	l.headers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Fail(w, r, errs.New(errs.Invalid, answer.CodeInvalid, "The request is not one that HTTP allows: %s.", http.StatusText(status)))
	})).ServeHTTP(kept, r)
	l.meter.count(unmatched, "", status, 0)
	l.log(ctx, line{route: unmatched, status: status, bytes: int64(kept.body.Len())})
	resp := http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: kept.header, Close: true,
		ContentLength: int64(kept.body.Len()), Body: io.NopCloser(&kept.body),
	}
	var out bytes.Buffer
	err = resp.Write(&out)
	return out.Bytes(), err
}

// keptAnswer keeps what a handler answers. The status is not kept: it is that of
// net/http.
type keptAnswer struct {
	header http.Header
	body   bytes.Buffer
}

func (k *keptAnswer) Header() http.Header         { return k.header }
func (k *keptAnswer) WriteHeader(int)             {}
func (k *keptAnswer) Write(b []byte) (int, error) { return k.body.Write(b) }

// NetConn returns the connection of the listener below.
func (c *unreadableConn) NetConn() net.Conn { return c.Conn }
