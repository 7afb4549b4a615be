package faults_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
)

// proxy forwards connections between a process and a dependency. A test can cut it.
type proxy struct {
	addr, target string

	mu       sync.Mutex
	listener net.Listener
	conns    map[net.Conn]bool
	flows    chan struct{} // closed while bytes are forwarded
}

// newProxy returns a proxy that forwards connections to target until the test ends.
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

// ways lists the ways to cut a proxy.
var ways = map[string]func(*proxy){"black hole": (*proxy).swallow, "refused": (*proxy).refuse}

// swallow stops forwarding data on old and new connections, but closes none of them.
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

// heal resumes forwarding, including the bytes that were held back, as after a network failure that is
// shorter than the sender's timeout.
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

// flow resumes forwarding after swallow.
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

// serve forwards one connection. It connects to the target only when data may flow.
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

// pump copies data until either side closes its connection, and then closes both.
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

// hold registers a connection. If the proxy is refusing connections, hold closes the connection and
// returns false.
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
