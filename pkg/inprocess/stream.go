package inprocess

import (
	"context"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// stream is what the two sides of a stream share.
type stream struct {
	desc   *grpc.StreamDesc // the server's
	caller peer.Peer
	ctx    context.Context // the server's
	cancel context.CancelFunc
	sent   replies
	// requests go to the server, responses come from it.
	requests, responses *queue
	once                sync.Once
	// fault is how the stream has ended, once responses are closed.
	fault error
}

// NewStream implements grpc.ClientConnInterface.
func (c *Conn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	into, err := optionsOf(opts)
	if err != nil {
		return nil, err
	}
	md, err := outgoing(ctx)
	if err != nil {
		return nil, err
	}
	s, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	into.met(s.callee)
	in, name, err := s.server.find(method)
	var served *grpc.StreamDesc
	if err == nil {
		if served = in.streams[name]; served == nil {
			err = unknownMethod(method)
		}
	}
	if err == nil && in.unary[name] != nil {
		err = status.Errorf(codes.Internal, "inprocess: %s is no stream", method)
	}
	shared := &stream{desc: served, caller: s.caller, requests: newQueue(), responses: newQueue()}
	shared.sent.method, shared.sent.sent = method, make(chan struct{})
	ctx, leave := context.WithCancel(ctx)
	shared.ctx, shared.cancel = serverContext(ctx, md, &shared.caller, &shared.sent)
	if err != nil { // the stream says so, as over the wire
		shared.end(err)
		s.server.leave()
	} else {
		go shared.serve(s.server, in.impl)
	}
	return &clientStream{stream: shared, desc: desc, ctx: ctx, leave: leave, into: into}, nil
}

// serve runs the interceptors and the handler.
func (s *stream) serve(server *Server, impl any) {
	defer server.leave()
	// When calls are cut, the caller hears it at once, whatever the handler does.
	spared := context.AfterFunc(server.cut, func() { s.end(errCut) })
	defer spared()
	info := &grpc.StreamServerInfo{FullMethod: s.sent.method, IsClientStream: s.desc.ClientStreams, IsServerStream: s.desc.ServerStreams}
	s.end(server.stream(impl, &serverStream{stream: s}, info, s.desc.Handler))
}

// end ends the stream for both sides. Only the first end counts. The context ends first: a
// handler that is still there must not take the end for that of the caller's messages.
func (s *stream) end(err error) {
	s.once.Do(func() {
		s.cancel()
		s.requests.close()
		s.fault = s.sent.end(err)
		s.responses.close()
	})
}
