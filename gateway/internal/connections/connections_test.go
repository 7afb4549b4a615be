package connections_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"

	"vitae.internal/gateway/internal/connections"
)

// site is a server on a loopback address that accepts a limited number of connections. /slow
// responds once release is closed.
type site struct {
	limit            *connections.Limit
	addr             string
	entered, release chan struct{}
}

func serve(t *testing.T, most int, exempt func(netip.Addr) bool) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{addr: l.Addr().String(), entered: make(chan struct{}, most), release: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			s.entered <- struct{}{}
			<-s.release
		}
		_, _ = io.WriteString(w, "ok")
	})}
	s.limit = connections.New(l, most, exempt)
	s.limit.Watch(server)
	go func() { _ = server.Serve(s.limit) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

func nobody(netip.Addr) bool { return false }

func anybody(netip.Addr) bool { return true }

func (s *site) dial(t *testing.T, from string) *client {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &client{conn: c, in: bufio.NewReader(c)}
}

type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func (c *client) send(path string) {
	_, _ = io.WriteString(c.conn, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
}

// answered reports whether a response arrives before the connection is closed.
func (c *client) answered() bool {
	a, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, a.Body)
	return err == nil
}

func (c *client) asks(path string) bool {
	c.send(path)
	return c.answered()
}

func TestIdleConnectionIsClosedForNewClient(t *testing.T) {
	t.Parallel()
	s := serve(t, 4, anybody)
	busy := s.dial(t, "127.0.0.1")
	busy.send("/slow")
	<-s.entered
	var idle []*client
	for n := range 3 {
		c := s.dial(t, "127.0.0.1")
		if !c.asks("/") {
			t.Fatal("no response below the limit")
		}
		idle = append(idle, c)
		s.limit.AwaitIdle(n + 1)
	}
	if !s.dial(t, "127.0.0.2").asks("/") {
		t.Error("a new client gets no response")
	}
	if idle[0].answered() || !idle[2].asks("/") {
		t.Error("a connection other than the longest idle one was closed")
	}
	close(s.release)
	if !busy.answered() {
		t.Error("a connection with a request in flight was closed")
	}
}

func TestPartialHeaderKeepsConnection(t *testing.T) {
	t.Parallel()
	s := serve(t, 2, anybody)
	half, idle := s.dial(t, "127.0.0.1"), s.dial(t, "127.0.0.1")
	if !idle.asks("/") {
		t.Fatal("no response below the limit")
	}
	s.limit.AwaitIdle(2)
	_, _ = io.WriteString(half.conn, "GET / HTTP/1.1\r\n")
	s.limit.AwaitIdle(1)
	if !s.dial(t, "127.0.0.2").asks("/") {
		t.Error("a new client gets no response although a connection is idle")
	}
	_, _ = io.WriteString(half.conn, "Host: x\r\n\r\n")
	if !half.answered() {
		t.Error("a connection with a partial header was closed")
	}
	if idle.answered() {
		t.Error("the idle connection was not closed")
	}
}

func TestIPAddressIsLimitedToItsShare(t *testing.T) {
	t.Parallel()
	s := serve(t, 8, nobody)
	first, second := s.dial(t, "127.0.0.1"), s.dial(t, "127.0.0.1")
	if !first.asks("/") {
		t.Fatal("no response below the limit of the IP address")
	}
	s.limit.AwaitIdle(2)
	if !second.asks("/") {
		t.Fatal("no response below the limit of the IP address")
	}
	s.limit.AwaitIdle(2)
	other := s.dial(t, "127.0.0.2")
	if !other.asks("/") || !s.dial(t, "127.0.0.1").asks("/") {
		t.Error("no response although an idle connection of the IP address can be closed")
	}
	if first.answered() {
		t.Error("the IP address has more connections than its limit")
	}
	if !other.asks("/") {
		t.Error("a connection of a different IP address was closed")
	}
}

func TestBusyConnectionsStayOpenAtShare(t *testing.T) {
	t.Parallel()
	s := serve(t, 8, nobody)
	var busy []*client
	for range 2 {
		c := s.dial(t, "127.0.0.1")
		c.send("/slow")
		<-s.entered
		busy = append(busy, c)
	}
	if s.dial(t, "127.0.0.1").asks("/") {
		t.Error("a connection above the limit of the IP address was served")
	}
	close(s.release)
	for _, c := range busy {
		if !c.answered() {
			t.Error("a connection with a request in flight was closed")
		}
	}
}

func TestWaitingConnectionsAreServed(t *testing.T) {
	t.Parallel()
	s := serve(t, 1, anybody)
	busy := s.dial(t, "127.0.0.1")
	busy.send("/slow")
	<-s.entered
	waiting := s.dial(t, "127.0.0.2")
	waiting.send("/")
	close(s.release)
	if !busy.answered() || !waiting.answered() {
		t.Error("at least one waiting connection got no response")
	}
}
