package inprocess

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/credentials"
)

// Process has the servers of the parts that run in one process, by the names in their
// certificates.
type Process struct {
	mu      sync.RWMutex
	servers map[string]*Server
}

// NewProcess gives a process without parts.
func NewProcess() *Process { return &Process{servers: map[string]*Server{}} }

// Serve lets callers find s by the name of its part until leave is called. It fails if a
// part of that name serves already.
func (p *Process) Serve(name string, s *Server) (leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.servers[name] != nil {
		return nil, fmt.Errorf("inprocess: a part %s serves already", name)
	}
	p.servers[name] = s
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.servers, name)
	}, nil
}

// Dial makes a connection to the part of that name for the holder of the credentials. It does
// not wait for the part to be there. Until then calls are answered UNAVAILABLE.
func (p *Process) Dial(name string, caller credentials.TransportCredentials) *Conn {
	return &Conn{process: p, name: name, caller: caller}
}

// server gives the server of a part, nil if it is not there.
func (p *Process) server(name string) *Server {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.servers[name]
}
