package grpcserver

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"testing"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestMalformedPrincipalIsAlwaysRejected(t *testing.T) {
	s := &Server{log: slog.New(slog.DiscardHandler)}
	const health = "/grpc.health.v1.Health/Check"
	for name, c := range map[string]struct{ method, sent, code string }{
		"two":          {health, "two", "PRINCIPAL_MALFORMED"},
		"none":         {health, "", ""},
		"no rule":      {"/vitae.test.Unlisted/Do", "", "CALLER_NOT_ALLOWED"},
		"like a check": {"/grpc.health.v1.HealthCheck/Check", "", "CALLER_NOT_ALLOWED"},
	} {
		ctx := t.Context()
		if c.sent != "" {
			ctx = metadata.NewIncomingContext(ctx, metadata.Pairs("vitae-principal-bin", "", "vitae-principal-bin", ""))
		}
		if _, err := s.admit(ctx, c.method); (err == nil) != (c.code == "") || err != nil && !errs.HasCode(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCallerRequiresVerifiedCertificate(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1}
	for name, p := range map[string]*peer.Peer{
		"nobody": nil, "no TLS": {Addr: at}, "no certificate": {Addr: at, AuthInfo: credentials.TLSInfo{State: tls.ConnectionState{}}},
	} {
		ctx := t.Context()
		if p != nil {
			ctx = peer.NewContext(ctx, p)
		}
		want := map[bool]string{true: "192.0.2.1"}[p != nil]
		if got := Caller(ctx); got != "" || clientAddress(ctx) != want {
			t.Errorf("%s: caller %q, address %q", name, got, clientAddress(ctx))
		}
	}
	unnamed := peer.NewContext(t.Context(), &peer.Peer{Addr: &net.UnixAddr{Name: "x", Net: "unix"}})
	if got := clientAddress(unnamed); got != "" {
		t.Errorf("a caller without an IP address has the client address %q", got)
	}
}

func TestRefusedCallsAreLoggedWithRequestID(t *testing.T) {
	incoming := metadata.NewIncomingContext(t.Context(), metadata.Pairs("vitae-request-id", "req_2"))
	for want, ctx := range map[string]context.Context{"": t.Context(), "req_2": incoming, "req_1": grpcx.WithRequestID(incoming, "req_1")} {
		if got := requestIDOf(ctx); got != want {
			t.Errorf("got request id %q, want %q", got, want)
		}
	}
}

// finding is a validator that returns a fixed error.
type finding struct{ err error }

func (f finding) Validate(proto.Message, ...protovalidate.ValidationOption) error { return f.err }

func TestBrokenRuleIsNotReportedAsFault(t *testing.T) {
	broken := errors.New("a rule divides by zero")
	for name, c := range map[string]struct {
		found error
		fails bool
	}{"sound": {nil, false}, "a broken rule": {broken, true}, "no violations": {&protovalidate.ValidationError{}, true}} {
		faults, err := validate(finding{c.found}, &authv1.DeleteApiKeyRequest{})
		if (err != nil) != c.fails || err == nil && faults.Err() != nil || c.fails && !errors.Is(err, c.found) {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
		called := false
		_, err = checked(t.Context(), finding{c.found}, &authv1.DeleteApiKeyRequest{}, func(context.Context, any) (any, error) { called = true; return nil, nil })
		if (err != nil) != c.fails || called == c.fails {
			t.Errorf("%s: handler called %t, %v", name, called, err)
		}
	}
	if faults, err := validate(finding{broken}, "no message"); err != nil || faults.Err() != nil {
		t.Errorf("a request that is not a message: %v, %v", faults, err)
	}
}
