package inprocess

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
)

// Config is what a server shares with the gRPC server of its part.
type Config struct {
	// Credentials check the certificates of callers.
	Credentials credentials.TransportCredentials
	// Unary and Stream are all interceptors of the server.
	Unary  grpc.UnaryServerInterceptor
	Stream grpc.StreamServerInterceptor
	// SessionAge is how long a caller is believed before its certificate is checked again.
	SessionAge time.Duration
	// Workers is how many goroutines stay for calls. Calls beyond them get one of their own.
	Workers int
}

// Server answers the calls of the parts in the process.
type Server struct {
	credentials credentials.TransportCredentials
	unary       grpc.UnaryServerInterceptor
	stream      grpc.StreamServerInterceptor
	sessionAge  time.Duration
	services    map[string]*service
	// work is where calls wait for no one: a goroutine that has stayed takes one at once, or a new
	// goroutine does.
	work    chan *call
	workers int64
	waiting atomic.Int64

	mu sync.Mutex
	// running are the calls under way; leaving is set by Stop.
	running int
	leaving bool
	// idle is closed when leaving and nothing is running. cut ends when Stop cuts what runs.
	idle   chan struct{}
	cut    context.Context
	cutNow context.CancelFunc
}

// service is a service with its methods by name.
type service struct {
	unary   map[string]grpc.MethodHandler
	streams map[string]*grpc.StreamDesc
	impl    any
}

// NewServer makes a server, on which services are registered before its first call.
func NewServer(c Config) (*Server, error) {
	if c.Credentials == nil || c.Unary == nil || c.Stream == nil || c.SessionAge <= 0 || c.Workers < 0 {
		return nil, errors.New("inprocess: credentials, both interceptors, and the age of sessions are required")
	}
	s := &Server{
		credentials: c.Credentials, unary: c.Unary, stream: c.Stream, sessionAge: c.SessionAge,
		services: map[string]*service{}, work: make(chan *call), workers: int64(c.Workers), idle: make(chan struct{}),
	}
	s.cut, s.cutNow = context.WithCancel(context.Background())
	return s, nil
}

// RegisterService implements grpc.ServiceRegistrar.
func (s *Server) RegisterService(desc *grpc.ServiceDesc, impl any) {
	one := &service{unary: map[string]grpc.MethodHandler{}, streams: map[string]*grpc.StreamDesc{}, impl: impl}
	for _, m := range desc.Methods {
		one.unary[m.MethodName] = m.Handler
	}
	for i := range desc.Streams {
		one.streams[desc.Streams[i].StreamName] = &desc.Streams[i]
	}
	s.services[desc.ServiceName] = one
}

// Stop refuses further calls, lets those that run finish until ctx ends, and then cuts them:
// their contexts end, and their callers are answered UNAVAILABLE.
func (s *Server) Stop(ctx context.Context) {
	s.mu.Lock()
	if !s.leaving {
		s.leaving = true
		if s.running == 0 {
			close(s.idle)
		}
	}
	s.mu.Unlock()
	select {
	case <-s.idle:
	case <-ctx.Done():
	}
	s.cutNow()
}

func (s *Server) stopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leaving
}

// enter counts a call in, unless the server is stopping.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving {
		return false
	}
	s.running++
	return true
}

// leave counts a call out.
func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running--; s.running == 0 && s.leaving {
		close(s.idle)
	}
}

// give has a goroutine serve a call. Those that stay have a stack that fits; that of a new one
// would have to grow in each call.
func (s *Server) give(c *call) {
	select {
	case s.work <- c:
	default:
		go s.serve(c)
	}
}

func (s *Server) serve(c *call) {
	for c != nil {
		c.serve()
		c = s.next()
	}
}

// next waits for another call. There is none if enough goroutines wait already, or the server
// has stopped.
func (s *Server) next() *call {
	defer s.waiting.Add(-1)
	if s.waiting.Add(1) > s.workers {
		return nil
	}
	select {
	case c := <-s.work:
		return c
	case <-s.cut.Done():
		return nil
	}
}

// find gives the service of a method, and the method's name in it.
func (s *Server) find(full string) (*service, string, error) {
	slash := strings.LastIndexByte(full, '/')
	if slash < 1 || full[0] != '/' {
		return nil, "", status.Error(codes.Unimplemented, fmt.Sprintf("malformed method name: %q", full))
	}
	one := s.services[full[1:slash]]
	if one == nil {
		return nil, "", status.Error(codes.Unimplemented, "unknown service "+full[1:slash])
	}
	return one, full[slash+1:], nil
}

func unknownMethod(full string) error {
	slash := strings.LastIndexByte(full, '/')
	return status.Errorf(codes.Unimplemented, "unknown method %s for service %s", full[slash+1:], full[1:slash])
}
