package faults_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
)

// proxy is a network connection between a part and what it needs, which a test can cut.
type proxy struct {
	addr, target string

	mu       sync.Mutex
	listener net.Listener
	conns    map[net.Conn]bool
	flows    chan struct{} // closed while bytes are forwarded
}

// newProxy forwards connections to target until the test ends.
func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	p := &proxy{target: target, conns: map[net.Conn]bool{}, flows: make(chan struct{})}
	close(p.flows)
	l := expect.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	p.addr = l.Addr().String()
	p.listen(l)
	t.Cleanup(func() { p.refuse(); p.flow() })
	return p
}

// ways are the ways to cut a proxy.
var ways = map[string]func(*proxy){"black hole": (*proxy).swallow, "refused": (*proxy).refuse}

// swallow forwards no byte of old or new connections, and closes none of them.
func (p *proxy) swallow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flows = make(chan struct{})
}

// refuse resets all connections and accepts no new ones.
func (p *proxy) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	for c := range p.conns {
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	}
	clear(p.conns)
}

// heal forwards everything again, also the bytes that were swallowed: so it is when a
// network heals before the sender has given up.
func (p *proxy) heal(t *testing.T) {
	t.Helper()
	p.flow()
	p.mu.Lock()
	refusing := p.listener == nil
	p.mu.Unlock()
	if refusing {
		p.listen(expect.Must(net.Listen("tcp", p.addr))(t))
	}
}

// flow ends a black hole.
func (p *proxy) flow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.flows:
	default:
		close(p.flows)
	}
}

func (p *proxy) listen(l net.Listener) {
	p.mu.Lock()
	p.listener = l
	p.mu.Unlock()
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(in)
		}
	}()
}

// serve forwards one connection. It connects to the target only while bytes flow.
func (p *proxy) serve(in net.Conn) {
	if !p.hold(in) {
		return
	}
	defer p.drop(in)
	<-p.open()
	out, err := net.Dial("tcp", p.target)
	if err != nil || !p.hold(out) {
		return
	}
	defer p.drop(out)
	var both sync.WaitGroup
	both.Go(func() { p.pump(out, in) })
	both.Go(func() { p.pump(in, out) })
	both.Wait()
}

// pump copies until either side ends, and then ends both.
func (p *proxy) pump(to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		<-p.open()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				_ = to.(*net.TCPConn).SetLinger(0)
			}
			return
		}
	}
}

func (p *proxy) open() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.flows
}

// hold remembers a connection. It closes the connection if the proxy refuses.
func (p *proxy) hold(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener == nil {
		_ = c.Close()
		return false
	}
	p.conns[c] = true
	return true
}

func (p *proxy) drop(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	_ = c.Close()
}
