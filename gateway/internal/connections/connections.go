// Package connections shares the connections of a listener among the addresses that open them.
//
// It must never close a connection on which a request is being read or answered. A request begins with its
// first byte; the server's ReadHeaderTimeout ends one whose header does not end. The server must speak
// HTTP/1 only: HTTP/2 sends frames between requests, and a connection would stay busy after one.
package connections

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// shares is the number of shares of a listener's connections. One address has at most one share.
const shares = 4

// Limit bounds the connections of a listener. When all are open, it closes the longest idle one for
// a new client, so that idle connections never keep others out. An address at its share gives up its own.
type Limit struct {
	net.Listener
	most, share int
	// exempt reports the proxies, which open connections for all clients.
	exempt func(netip.Addr) bool

	mu     sync.Mutex
	change *sync.Cond // a connection became idle or was closed, or the listener was
	all    group
	of     map[netip.Prefix]*group
	closed bool
}

// group is connections that are bounded together: how many are open, and those of them that are
// idle, the longest idle one first.
type group struct {
	open int
	idle list.List
}

// conn is an open connection. Its fields are guarded by the Limit's lock.
type conn struct {
	net.Conn
	limit *Limit
	from  netip.Prefix
	// groups are all connections and those of its address, and idle its places among their idle ones;
	// nil on a connection that is busy or closed.
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

// New wraps a listener that may hold most connections. Call Watch before the server serves.
func New(l net.Listener, most int, exempt func(netip.Addr) bool) *Limit {
	out := &Limit{
		Listener: l, most: most, share: max(most/shares, 1), exempt: exempt, of: map[netip.Prefix]*group{},
	}
	out.change = sync.NewCond(&out.mu)
	return out
}

// Watch has the server report which connections are idle. Connections that others have wrapped need
// a method NetConn, as that of tls.Conn.
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
		c.setBusy() // a request that arrived with the one before was read then
	}
}

// Read implements net.Conn. A connection is busy from the first byte of a request on: StateActive comes
// only after the whole header.
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

// Accept implements net.Listener. A connection beyond the share of an address whose others are all
// busy is closed; one beyond the limit waits until another is idle or closed.
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
	c.setIdle() // until its first byte
	l.change.Broadcast()
	return c
}

// dropIdle closes the longest idle connection of a group. It reports whether there was one.
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

// origin returns the address whose share a connection counts against: the /64 of an IPv6 client, which
// is one customer's. The result is invalid for proxies.
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
		return netip.Prefix{} // the address has as many bits
	}
	return prefix
}

// Close implements net.Listener.
func (l *Limit) Close() error {
	l.mu.Lock()
	l.closed = true
	l.change.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.limit.mu.Lock()
	c.limit.forget(c)
	c.limit.mu.Unlock()
	return c.Conn.Close()
}
