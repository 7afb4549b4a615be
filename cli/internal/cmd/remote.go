package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/errs"
)

// remote is a connection to a service. If the service is unreachable, errors include its name and address.
type remote struct {
	grpc.ClientConnInterface
	name, addr string
}

type unreachableError struct {
	name, addr, reason string
	cause              error
}

func (e *unreachableError) Error() string {
	return fmt.Sprintf("the stack cannot be reached: %s does not respond at %s%s; is it running?", e.name, e.addr, e.reason)
}

func (e *unreachableError) Unwrap() error { return e.cause }

func (r remote) Invoke(ctx context.Context, method string, req, reply any, opts ...grpc.CallOption) error {
	return r.explained(r.ClientConnInterface.Invoke(ctx, method, req, reply, opts...))
}

func (r remote) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := r.ClientConnInterface.NewStream(ctx, desc, method, opts...)
	if err != nil {
		return nil, r.explained(err)
	}
	return remoteStream{s, r}, nil
}

type remoteStream struct {
	grpc.ClientStream
	remote remote
}

func (s remoteStream) RecvMsg(m any) error { return s.remote.explained(s.ClientStream.RecvMsg(m)) }

// explained converts the error of an unreachable service to an unreachableError. If the service itself responds
// that it is unavailable, the error is unchanged. The two cases differ in the cause: only if the service is
// unreachable is the cause a gRPC status, because package grpcx then keeps the status that gRPC created.
func (r remote) explained(err error) error {
	refusal, ok := errs.As(err)
	if !ok || refusal.Kind != errs.Unavailable {
		return err
	}
	cause, ok := status.FromError(errors.Unwrap(refusal))
	if !ok || cause.Code() != codes.Unavailable {
		return err
	}
	reason := ": " + cause.Message()
	if strings.Contains(reason, "connection refused") {
		reason = "" // the address is enough
	}
	return &unreachableError{r.name, r.addr, reason, err}
}
