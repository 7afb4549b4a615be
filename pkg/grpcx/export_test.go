package grpcx

import (
	"context"
	"net"

	"google.golang.org/grpc"

	"vitae.internal/pkg/mtls"
)

// DialOver is like Dial over connections that the test creates. more are options of gRPC that replace
// those of Dial.
func DialOver(dial func(context.Context, string) (net.Conn, error), service string, identity *mtls.Identity, more ...grpc.DialOption) (*grpc.ClientConn, error) {
	c := &client{breaker: always{}}
	options := append(c.options(service, identity), grpc.WithContextDialer(dial))
	return grpc.NewClient("passthrough:///"+service, append(options, more...)...)
}
