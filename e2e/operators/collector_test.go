package operators_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/e2e/internal/expect"
)

// traces searches the collected spans.
func (s *secretSearch) traces(c *collector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// These are a route, a gRPC call, a Postgres statement and a Redis command.
	for _, name := range []string{"GET /v1/me", "vitae.candidate.v1.MeService/", "GetMe", "evalsha"} {
		if !bytes.Contains(c.got, []byte(name)) {
			s.t.Errorf("the traces, %d bytes, lack %s, so the search proves too little", len(c.got), name)
		}
	}
	s.found("a trace", c.got)
}

// collector is an OpenTelemetry collector that stores the encoded spans of a stack.
type collector struct {
	address string
	mu      sync.Mutex
	got     []byte
}

func collect(t *testing.T) *collector {
	t.Helper()
	l := expect.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	c := &collector{address: l.Addr().String()}
	server := grpc.NewServer(grpc.ForceServerCodec(bytesCodec{}), grpc.UnknownServiceHandler(c.take))
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	return c
}

func (c *collector) take(_ any, s grpc.ServerStream) error {
	var export []byte
	if err := s.RecvMsg(&export); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	c.mu.Lock()
	c.got = append(c.got, export...)
	c.mu.Unlock()
	return s.SendMsg(new([]byte))
}

// bytesCodec passes encoded messages through.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }

func (bytesCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = bytes.Clone(data)
	return nil
}

func (bytesCodec) Name() string { return "proto" }
