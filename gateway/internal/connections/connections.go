// Package connections divides the connections of a listener among client IP addresses.
//
// The package must never close a connection on which a request is being read or handled. A request begins with
// its first byte. The server's ReadHeaderTimeout limits the time for the header. The server must be limited to
// HTTP/1, because HTTP/2 frames between requests would look like requests.
package connections

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// shares determines the share of the connections that one IP address may open: a quarter.
const shares = 4

// Limit limits the connections of a listener. At the limit, it closes the longest idle connection to accept a
// new one, so idle connections never block new clients. At the limit of an IP address, it closes the longest
// idle connection of that address.
type Limit struct {
	net.Listener
	most, share int
	// exempt reports whether an IP address is exempt from the per-address limit. Proxies are exempt,
	// because they connect on behalf of all clients.
	exempt func(netip.Addr) bool

	mu     sync.Mutex
	change *sync.Cond // signals that a connection has become idle or closed, or that the listener has been closed
	all    group
	of     map[netip.Prefix]*group
	closed bool
}

// group counts connections that share a limit. It lists the idle connections, longest idle first.
type group struct {
	open int
	idle list.List
}

// conn is an open connection. Limit.mu guards its fields.
type conn struct {
	net.Conn
	limit *Limit
	from  netip.Prefix
	// groups holds the group for all connections and the group for the IP address. idle holds the
	// connection's elements in their idle lists, or nil while the connection is busy or closed.
	groups [2]*group
	idle   [2]*list.Element
	closed bool
}

func (c *conn) setIdle() {
	c.setBusy()
	for i, g := range c.groups {
		c.idle[i] = g.idle.PushBack(c)
	}
}

func (c *conn) setBusy() {
	for i, g := range c.groups {
		if c.idle[i] != nil {
			g.idle.Remove(c.idle[i])
			c.idle[i] = nil
		}
	}
}

// New returns a Limit that allows at most the given number of connections on l. Watch must be called
// before the server starts to serve.
func New(l net.Listener, most int, exempt func(netip.Addr) bool) *Limit {
	out := &Limit{
		Listener: l, most: most, share: max(most/shares, 1), exempt: exempt, of: map[netip.Prefix]*group{},
	}
	out.change = sync.NewCond(&out.mu)
	return out
}

// Watch sets the server's ConnState to track which connections are idle. Wrapped connections need a method
// NetConn, like tls.Conn.
func (l *Limit) Watch(s *http.Server) {
	before := s.ConnState
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if before != nil {
			before(c, state)
		}
		for {
			if one, ok := c.(*conn); ok {
				l.note(one, state)
				return
			}
			wrapped, ok := c.(interface{ NetConn() net.Conn })
			if !ok {
				return
			}
			c = wrapped.NetConn()
		}
	}
}

func (l *Limit) note(c *conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case c.closed:
	case state == http.StateIdle:
		c.setIdle()
		l.change.Broadcast()
	case state == http.StateActive:
		c.setBusy() // a pipelined request, whose bytes were read together with the previous request
	}
}

// Read marks the connection as busy at the first byte of a request. The server reports StateActive only once
// it has read the whole header.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.limit.mu.Lock()
		c.setBusy()
		c.limit.change.Broadcast()
		c.limit.mu.Unlock()
	}
	return n, err
}

// Accept returns the next connection. It closes a new connection if its IP address has reached its limit and
// has no idle connections. At the listener's limit, it waits until a connection becomes idle or is closed.
func (l *Limit) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(raw); c != nil {
			return c, nil
		}
		_ = raw.Close()
	}
}

func (l *Limit) admit(raw net.Conn) *conn {
	from := l.origin(raw.RemoteAddr())
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.of[from]
	if own != nil && from.IsValid() && own.open >= l.share && !l.dropIdle(own) {
		return nil
	}
	for l.all.open >= l.most && !l.dropIdle(&l.all) {
		if l.closed {
			return nil
		}
		l.change.Wait()
	}
	if own = l.of[from]; own == nil {
		own = &group{}
		l.of[from] = own
	}
	c := &conn{Conn: raw, limit: l, from: from, groups: [2]*group{&l.all, own}}
	l.all.open++
	own.open++
	c.setIdle() // until its first byte arrives
	l.change.Broadcast()
	return c
}

// dropIdle closes the longest idle connection of a group and reports whether there was one.
func (l *Limit) dropIdle(of *group) bool {
	longest := of.idle.Front()
	if longest == nil {
		return false
	}
	c := longest.Value.(*conn)
	l.forget(c)
	_ = c.Conn.Close()
	return true
}

func (l *Limit) forget(c *conn) {
	if c.closed {
		return
	}
	c.closed = true
	c.setBusy()
	for _, g := range c.groups {
		g.open--
	}
	if c.groups[1].open == 0 {
		delete(l.of, c.from)
	}
	l.change.Broadcast()
}

// origin returns the IP address, or the /64 network of an IPv6 address, that a connection counts against. The
// result is invalid for exempt addresses.
func (l *Limit) origin(a net.Addr) netip.Prefix {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	addr := tcp.AddrPort().Addr().Unmap().WithZone("")
	if l.exempt(addr) {
		return netip.Prefix{}
	}
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	prefix, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{} // cannot happen: bits matches the address family
	}
	return prefix
}

func (l *Limit) Close() error {
	l.mu.Lock()
	l.closed = true
	l.change.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

func (c *conn) Close() error {
	c.limit.mu.Lock()
	c.limit.forget(c)
	c.limit.mu.Unlock()
	return c.Conn.Close()
}
