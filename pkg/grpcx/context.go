package grpcx

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// Metadata keys of the request id and the client's IP address.
const (
	requestIDKey     = "vitae-request-id"
	clientAddressKey = "vitae-client-address"
)

// ConsoleSessionKey is the metadata key for the secret of a developer console session
// (behaviour: console#sessions).
const ConsoleSessionKey = "vitae-console-session"

// WithConsoleSession returns a context for calls on behalf of the person to whom a console session
// belongs.
func WithConsoleSession(ctx context.Context, secret string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, ConsoleSessionKey, secret)
}

// Outside describes the external request that led to the current call.
type Outside struct {
	// RequestID and ClientAddress are empty if unknown.
	RequestID, ClientAddress string
	// Operator reports whether the caller of the current method may act for any person. The server
	// sets it before the handler runs.
	Operator bool
}

type outsideKey struct{}

// WithOutside returns a copy of ctx with o, which replaces any existing Outside.
func WithOutside(ctx context.Context, o Outside) context.Context {
	return context.WithValue(ctx, outsideKey{}, &o)
}

// nowhere is the default for a context without an Outside.
var nowhere Outside

func outsideOf(ctx context.Context) *Outside {
	if o, ok := ctx.Value(outsideKey{}).(*Outside); ok {
		return o
	}
	return &nowhere
}

// WithRequestID returns a copy of ctx with a request id.
func WithRequestID(ctx context.Context, id string) context.Context {
	o := *outsideOf(ctx)
	o.RequestID = id
	return WithOutside(ctx, o)
}

// RequestID returns the request id of ctx, or "" if there is none.
func RequestID(ctx context.Context) string { return outsideOf(ctx).RequestID }

// IncomingRequestID returns the request id in the metadata of the current call, or "" if there is
// none.
func IncomingRequestID(ctx context.Context) string {
	if ids := metadata.ValueFromIncomingContext(ctx, requestIDKey); len(ids) == 1 {
		return ids[0]
	}
	return ""
}

// WithClientAddress returns a copy of ctx with the client's IP address.
func WithClientAddress(ctx context.Context, address string) context.Context {
	o := *outsideOf(ctx)
	o.ClientAddress = address
	return WithOutside(ctx, o)
}

// ClientAddress returns the IP address of the client that sent the original request, or "" if it is
// unknown.
func ClientAddress(ctx context.Context) string { return outsideOf(ctx).ClientAddress }

// IncomingClientAddress returns the client's IP address in the metadata of the current call, or "" if
// there is none. It can be trusted only if the gateway sent it, which the server checks.
func IncomingClientAddress(ctx context.Context) string {
	if addresses := metadata.ValueFromIncomingContext(ctx, clientAddressKey); len(addresses) == 1 {
		return addresses[0]
	}
	return ""
}

// IsOperator reports whether the caller of the current method may act for any person, according to the
// method's access option.
func IsOperator(ctx context.Context) bool { return outsideOf(ctx).Operator }
