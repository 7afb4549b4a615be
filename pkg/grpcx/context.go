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

type (
	requestIDContextKey     struct{}
	clientAddressContextKey struct{}
	operatorContextKey      struct{}
)

// WithRequestID returns a context that carries the id of the outside request.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDContextKey{}, id)
}

// RequestID is the id of the outside request that ctx belongs to, empty if none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDContextKey{}).(string)
	return id
}

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
	return context.WithValue(ctx, clientAddressContextKey{}, address)
}

// ClientAddress is the address of the client of the outside request that ctx belongs to,
// empty if none.
func ClientAddress(ctx context.Context) string {
	address, _ := ctx.Value(clientAddressContextKey{}).(string)
	return address
}

// IncomingClientAddress is the client's address as the metadata of the call that a server
// has taken names it, empty if none. Only the gateway is believed, which the server
// checks.
func IncomingClientAddress(ctx context.Context) string {
	if addresses := metadata.ValueFromIncomingContext(ctx, clientAddressKey); len(addresses) == 1 {
		return addresses[0]
	}
	return ""
}

// WithOperator returns the context of a call whose caller may, or may not, act for any
// person. The server sets it before the handler runs.
func WithOperator(ctx context.Context, is bool) context.Context {
	return context.WithValue(ctx, operatorContextKey{}, is)
}

// IsOperator reports whether the caller of the method that serves ctx may act for
// any person, by the method's access option.
func IsOperator(ctx context.Context) bool {
	is, _ := ctx.Value(operatorContextKey{}).(bool)
	return is
}
