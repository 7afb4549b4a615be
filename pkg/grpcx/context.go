package grpcx

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// Metadata keys of the request id and the client's address.
const (
	requestIDKey     = "vitae-request-id"
	clientAddressKey = "vitae-client-address"
)

// ConsoleSessionKey is the metadata key of the secret of a session in the developer console
// (behaviour: console#sessions).
const ConsoleSessionKey = "vitae-console-session"

// WithConsoleSession returns a context for calls on behalf of the person of a session.
func WithConsoleSession(ctx context.Context, secret string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, ConsoleSessionKey, secret)
}

// Outside describes the original request of a context.
type Outside struct {
	// RequestID and ClientAddress are empty if unknown.
	RequestID, ClientAddress string
	// Operator reports whether the caller of the current method may act for any person. The server
	// sets it before the handler runs.
	Operator bool
}

type outsideKey struct{}

// WithOutside returns a context with another Outside.
func WithOutside(ctx context.Context, o Outside) context.Context {
	return context.WithValue(ctx, outsideKey{}, &o)
}

// nowhere is the Outside of a context without a request.
var nowhere Outside

func outsideOf(ctx context.Context) *Outside {
	if o, ok := ctx.Value(outsideKey{}).(*Outside); ok {
		return o
	}
	return &nowhere
}

// WithRequestID returns a context with a request id.
func WithRequestID(ctx context.Context, id string) context.Context {
	o := *outsideOf(ctx)
	o.RequestID = id
	return WithOutside(ctx, o)
}

// RequestID returns the request id of ctx, or an empty string.
func RequestID(ctx context.Context) string { return outsideOf(ctx).RequestID }

// IncomingRequestID returns the request id in the metadata of the current call, or an empty string.
func IncomingRequestID(ctx context.Context) string {
	if ids := metadata.ValueFromIncomingContext(ctx, requestIDKey); len(ids) == 1 {
		return ids[0]
	}
	return ""
}

// WithClientAddress returns a context with the address of the client.
func WithClientAddress(ctx context.Context, address string) context.Context {
	o := *outsideOf(ctx)
	o.ClientAddress = address
	return WithOutside(ctx, o)
}

// ClientAddress returns the address of the client of the original request, or an empty string.
func ClientAddress(ctx context.Context) string { return outsideOf(ctx).ClientAddress }

// IncomingClientAddress returns the client's address in the metadata of the current call, or an
// empty string. It may only be trusted if the gateway sent it, which the server checks.
func IncomingClientAddress(ctx context.Context) string {
	if addresses := metadata.ValueFromIncomingContext(ctx, clientAddressKey); len(addresses) == 1 {
		return addresses[0]
	}
	return ""
}

// IsOperator reports whether the caller of the current method may act for any person, according to the
// method's access option.
func IsOperator(ctx context.Context) bool { return outsideOf(ctx).Operator }
