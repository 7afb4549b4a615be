package mtls

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"google.golang.org/grpc/credentials"
)

// transport is gRPC's TLS transport with a configuration that is created for each handshake.
type transport struct{ config func() *tls.Config }

// ClientHandshake verifies the configured name of the service instead of the call's authority.
func (t transport) ClientHandshake(ctx context.Context, _ string, conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	config := t.config()
	return credentials.NewTLS(config).ClientHandshake(ctx, config.ServerName, conn)
}

func (t transport) ServerHandshake(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return credentials.NewTLS(t.config()).ServerHandshake(conn)
}

func (t transport) Info() credentials.ProtocolInfo { return credentials.NewTLS(t.config()).Info() }

func (t transport) Clone() credentials.TransportCredentials { return t }

// OverrideServerName returns an error, because the name to verify is fixed.
func (t transport) OverrideServerName(string) error {
	return errors.New("mtls: the name of the service cannot be overridden")
}
