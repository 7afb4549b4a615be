package grpcx

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// Keys of the request id and of the client's address in the metadata of a call.
const (
	requestIDKey     = "vitae-request-id"
	clientAddressKey = "vitae-client-address"
)

// ConsoleSessionKey is the metadata entry with the secret of a person's session in the
// developer console (behaviour: console#sessions).
const ConsoleSessionKey = "vitae-console-session"

// WithConsoleSession returns a context whose outgoing calls are made for the person of the
// session.
func WithConsoleSession(ctx context.Context, secret string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, ConsoleSessionKey, secret)
}

// Outside is what a context says of the outside request that it belongs to.
type Outside struct {
	// RequestID is its id, ClientAddress the address of its client; empty if unknown.
	RequestID, ClientAddress string
	// Operator is whether the caller of the method that serves the context may act for any
	// person. The server says so before the handler runs.
	Operator bool
}

type outsideKey struct{}

// WithOutside returns a context that says all of it at once, in place of what it said.
func WithOutside(ctx context.Context, o Outside) context.Context {
	return context.WithValue(ctx, outsideKey{}, &o)
}

// nowhere is the outside request of a context that belongs to none.
var nowhere Outside

func outsideOf(ctx context.Context) *Outside {
	if o, ok := ctx.Value(outsideKey{}).(*Outside); ok {
		return o
	}
	return &nowhere
}

// WithRequestID returns a context that carries the id of the outside request.
func WithRequestID(ctx context.Context, id string) context.Context {
	o := *outsideOf(ctx)
	o.RequestID = id
	return WithOutside(ctx, o)
}

// RequestID is the id of the outside request that ctx belongs to, empty if none.
func RequestID(ctx context.Context) string { return outsideOf(ctx).RequestID }

// IncomingRequestID is the id of the outside request as the metadata of the call that
// a server has taken names it, empty if none.
func IncomingRequestID(ctx context.Context) string {
	if ids := metadata.ValueFromIncomingContext(ctx, requestIDKey); len(ids) == 1 {
		return ids[0]
	}
	return ""
}

// WithClientAddress returns a context that carries the address of the client of the
// outside request.
func WithClientAddress(ctx context.Context, address string) context.Context {
	o := *outsideOf(ctx)
	o.ClientAddress = address
	return WithOutside(ctx, o)
}

// ClientAddress is the address of the client of the outside request that ctx belongs to,
// empty if none.
func ClientAddress(ctx context.Context) string { return outsideOf(ctx).ClientAddress }

// IncomingClientAddress is the client's address as the metadata of the call that a server
// has taken names it, empty if none. Only the gateway is believed, which the server
// checks.
func IncomingClientAddress(ctx context.Context) string {
	if addresses := metadata.ValueFromIncomingContext(ctx, clientAddressKey); len(addresses) == 1 {
		return addresses[0]
	}
	return ""
}

// IsOperator reports whether the caller of the method that serves ctx may act for
// any person, by the method's access option.
func IsOperator(ctx context.Context) bool { return outsideOf(ctx).Operator }
