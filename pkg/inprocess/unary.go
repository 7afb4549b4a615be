package inprocess

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// call is a unary call under way.
type call struct {
	server  *Server
	service *service
	handler grpc.MethodHandler
	// caller is the server's own value: an interceptor may change it.
	caller peer.Peer
	ctx    context.Context
	cancel context.CancelFunc
	sent   replies
	// request is the encoded request, until the handler has decoded it.
	request mem.BufferSlice
	// answer and fault are what the caller gets, once done has been told.
	answer mem.BufferSlice
	fault  error
	done   chan struct{}
}

// Invoke implements grpc.ClientConnInterface.
func (c *Conn) Invoke(ctx context.Context, method string, req, reply any, opts ...grpc.CallOption) error {
	into, err := optionsOf(opts)
	if err != nil {
		return err
	}
	md, err := outgoing(ctx)
	if err != nil {
		return err
	}
	request, err := encode(req)
	if err != nil {
		return err
	}
	s, err := c.begin(ctx)
	if err != nil {
		request.Free()
		return err
	}
	one, err := s.newCall(ctx, method, md, request)
	if err != nil {
		request.Free()
		s.server.leave()
		return err
	}
	into.met(s.callee)
	s.server.give(one)
	select {
	case <-one.done:
	case <-ctx.Done(): // the context of the server ends with it
		return status.FromContextError(ctx.Err()).Err()
	case <-s.server.cut.Done():
		one.cancel()
		return errCut
	}
	into.told(&one.sent)
	if one.fault != nil {
		return one.fault
	}
	defer one.answer.Free()
	if err := codec.Unmarshal(one.answer, reply); err != nil {
		return status.Errorf(codes.Internal, "grpc: failed to unmarshal the received message: %v", err)
	}
	return nil
}

// newCall makes a call that has entered the server.
func (s *session) newCall(ctx context.Context, method string, md metadata.MD, request mem.BufferSlice) (*call, error) {
	in, name, err := s.server.find(method)
	if err != nil {
		return nil, err
	}
	handler := in.unary[name]
	switch {
	case handler == nil && in.streams[name] != nil:
		return nil, status.Errorf(codes.Internal, "inprocess: %s is a stream", method)
	case handler == nil:
		return nil, unknownMethod(method)
	}
	one := &call{server: s.server, service: in, handler: handler, caller: s.caller, request: request, done: make(chan struct{}, 1)}
	one.sent.method = method
	one.ctx, one.cancel = serverContext(ctx, md, &one.caller, &one.sent)
	return one, nil
}

// serve runs the interceptors and the handler, as gRPC's server does. A panic that no
// interceptor has taken ends the process there and here.
func (c *call) serve() {
	defer c.server.leave()
	defer c.cancel()
	resp, err := c.handler(c.service.impl, c.ctx, c.decode, c.server.unary)
	c.forget()
	if err == nil {
		c.answer, err = encode(resp)
	}
	c.fault = c.sent.end(err)
	c.done <- struct{}{}
}

// decode gives the handler its request, and lets go of the bytes.
func (c *call) decode(m any) error {
	defer c.forget()
	if err := codec.Unmarshal(c.request, m); err != nil {
		return status.Errorf(codes.Internal, "grpc: error unmarshalling request: %v", err)
	}
	return nil
}

// forget lets go of the request, which the handler may not have asked for.
func (c *call) forget() {
	c.request.Free()
	c.request = nil
}
