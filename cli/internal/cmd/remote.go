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

// remote is a connection whose errors contain the name and address of an unreachable service.
type remote struct {
	grpc.ClientConnInterface
	name, addr string
}

type unreachableError struct {
	name, addr, reason string
	cause              error
}

func (e *unreachableError) Error() string {
	return fmt.Sprintf("the stack cannot be reached: %s does not answer at %s%s; is it running?", e.name, e.addr, e.reason)
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

// explained replaces the error of an unreachable service by an unreachableError. A service that
// reports itself as unavailable keeps its error. The cause distinguishes them: only for the former
// is it a status made by gRPC, which package grpcx keeps as the cause.
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
		reason = "" // it adds nothing to the address
	}
	return &unreachableError{r.name, r.addr, reason, err}
}
