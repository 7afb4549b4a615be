package mtls

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"google.golang.org/grpc/credentials"
)

// transport is gRPC's TLS with the configuration of the moment of each handshake.
type transport struct{ config func() *tls.Config }

// ClientHandshake checks the name of the part, whatever name the call has for it.
func (t transport) ClientHandshake(ctx context.Context, _ string, conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	config := t.config()
	return credentials.NewTLS(config).ClientHandshake(ctx, config.ServerName, conn)
}

func (t transport) ServerHandshake(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return credentials.NewTLS(t.config()).ServerHandshake(conn)
}

func (t transport) Info() credentials.ProtocolInfo { return credentials.NewTLS(t.config()).Info() }

func (t transport) Clone() credentials.TransportCredentials { return t }

// OverrideServerName refuses: the name that is checked is the part's.
func (t transport) OverrideServerName(string) error {
	return errors.New("mtls: the name of the part cannot be overridden")
}
