// Package servertest runs the gRPC server of a service in a test, on a loopback port and with
// certificates created by the test, and calls it as other services do. Servers and connections are
// closed when the test ends.
package servertest

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
)

// Certificates creates a certificate authority and a certificate for each name, and returns their
// directory.
func Certificates(t testing.TB, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := mtls.Issue(dir, names...); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Identity loads a certificate created by Certificates.
func Identity(t testing.TB, dir, name string) *mtls.Identity {
	t.Helper()
	identity, err := mtls.Load(mtls.Files(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return identity
}

// Serve serves on a loopback port until the test ends, and returns the listen address. Cleanup
// functions registered before the call run after the server has stopped.
func Serve(t testing.TB, identity *mtls.Identity, log *slog.Logger, register func(grpc.ServiceRegistrar), more ...grpcserver.Option) string {
	t.Helper()
	server, err := grpcserver.New(identity, log, register, more...)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop(context.Background())
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// Dial connects to the named service at addr, with the given caller's certificate.
func Dial(t testing.TB, addr, name string, caller *mtls.Identity) *grpc.ClientConn {
	t.Helper()
	conn, err := grpcx.Dial(addr, name, caller)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
