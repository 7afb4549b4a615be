package rpcmetrics_test

import (
	"context"
	"io"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/rpcmetrics"
	"vitae.internal/pkg/testkit/metrics"
)

func wantCounted(t *testing.T, want float64, name, method, kind, code string) {
	t.Helper()
	labels := []string{"grpc_service", "test.v1.Service", "grpc_method", method, "grpc_type", kind}
	if code != "" {
		labels = append(labels, "grpc_code", code)
	}
	if got, there := metrics.Value(t, name, labels...); !there || got != want {
		t.Errorf("%s with labels %v: got %v (found: %t), want %v", name, labels, got, there, want)
	}
}

func TestExpectCreatesCounters(t *testing.T) {
	rpcmetrics.Client.Expect("/test.v1.Service/Expected", rpcmetrics.KindOf(false, true))
	for _, code := range []string{"OK", "Unavailable", "Internal", "DeadlineExceeded"} {
		wantCounted(t, 0, "grpc_client_handled_total", "Expected", "server_stream", code)
	}
	wantCounted(t, 0, "grpc_client_started_total", "Expected", "server_stream", "")
	wantCounted(t, 0, "grpc_client_handling_seconds", "Expected", "server_stream", "")
}

func TestCallsAreCountedByMethodAndCode(t *testing.T) {
	info := &grpc.UnaryServerInfo{FullMethod: "/test.v1.Service/Unary"}
	for _, err := range []error{nil, status.Error(codes.NotFound, ""), status.Error(codes.DataLoss, "")} {
		_, got := rpcmetrics.Server.UnaryServer(t.Context(), nil, info, func(context.Context, any) (any, error) { return nil, err })
		if got != err { //nolint:errorlint // the error must be identical
			t.Errorf("%v became %v", err, got)
		}
		invoke := func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error { return err }
		if got := rpcmetrics.Client.UnaryClient(t.Context(), info.FullMethod, nil, nil, nil, invoke); got != err { //nolint:errorlint // the error must be identical
			t.Errorf("%v became %v", err, got)
		}
	}
	for _, side := range []string{"server", "client"} {
		wantCounted(t, 3, "grpc_"+side+"_started_total", "Unary", "unary", "")
		wantCounted(t, 3, "grpc_"+side+"_handling_seconds", "Unary", "unary", "")
		for _, code := range []string{"OK", "NotFound", "DataLoss"} {
			wantCounted(t, 1, "grpc_"+side+"_handled_total", "Unary", "unary", code)
		}
	}
}

// stream is a client stream that returns errs, one after another.
type stream struct {
	grpc.ClientStream
	errs []error
}

func (s *stream) RecvMsg(any) error {
	err := s.errs[0]
	s.errs = s.errs[1:]
	return err
}

func TestStreamIsCountedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		many bool
		errs []error
		code string
	}{
		"Whole":  {many: true, errs: []error{nil, nil, io.EOF}, code: "OK"},
		"One":    {errs: []error{nil}, code: "OK"},
		"Cut":    {many: true, errs: []error{nil, status.Error(codes.Unavailable, "")}, code: "Unavailable"},
		"Left":   {many: true, errs: []error{nil}, code: "Canceled"},
		"Failed": {many: true, code: "Internal"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		open := func(context.Context, *grpc.StreamDesc, *grpc.ClientConn, string, ...grpc.CallOption) (grpc.ClientStream, error) {
			if name == "Failed" {
				return nil, status.Error(codes.Internal, "")
			}
			return &stream{errs: c.errs}, nil
		}
		s, err := rpcmetrics.Client.StreamClient(ctx, &grpc.StreamDesc{ServerStreams: c.many, ClientStreams: !c.many}, nil, "/test.v1.Service/"+name, open)
		if err == nil {
			for range len(c.errs) {
				_ = s.RecvMsg(nil)
			}
		}
		cancel()
		kind := map[bool]string{true: "server_stream", false: "client_stream"}[c.many]
		labels := []string{"grpc_service", "test.v1.Service", "grpc_method", name, "grpc_type", kind, "grpc_code", c.code}
		limit, stop := context.WithTimeout(t.Context(), time.Minute)
		for got := 0.0; got != 1 && limit.Err() == nil; { // a separate goroutine reports that the context is done
			got, _ = metrics.Value(t, "grpc_client_handled_total", labels...)
		}
		stop()
		if got, _ := metrics.Value(t, "grpc_client_handled_total", labels...); got != 1 {
			t.Errorf("%s: counted %v times, want once", name, got)
		}
		wantCounted(t, 1, "grpc_client_handling_seconds", name, kind, "")
	}
}

// A request makes several calls, so counting a call must be cheap.
func TestCountingDoesNotAllocate(t *testing.T) {
	info := &grpc.UnaryServerInfo{FullMethod: "/test.v1.Service/Cheap"}
	handle := func(context.Context, any) (any, error) { return nil, nil }
	if n := testing.AllocsPerRun(100, func() { _, _ = rpcmetrics.Server.UnaryServer(t.Context(), nil, info, handle) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
