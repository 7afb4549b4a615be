package grpcx

import (
	"context"
	"net"

	"google.golang.org/grpc"

	"vitae.internal/pkg/mtls"
)

// DialOver is like Dial, but uses connections created by dial. The gRPC options in more override the
// options of Dial.
func DialOver(dial func(context.Context, string) (net.Conn, error), service string, identity *mtls.Identity, more ...grpc.DialOption) (*grpc.ClientConn, error) {
	c := &client{breaker: always{}}
	options := append(c.options(service, identity), grpc.WithContextDialer(dial))
	return grpc.NewClient("passthrough:///"+service, append(options, more...)...)
}
