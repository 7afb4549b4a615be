package inprocess

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// detached is the context of a caller without its values: its deadline and its end are all
// that the wire would tell of it.
type detached struct{ context.Context }

// Value implements context.Context.
func (detached) Value(any) any { return nil }

// AfterFunc spares package context a goroutine for each context made of this one.
func (d detached) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(d.Context, f) }

// serverContext is what a server knows of a call. It ends with the caller's context, or when
// cancel is called.
func serverContext(ctx context.Context, md metadata.MD, caller *peer.Peer, stream grpc.ServerTransportStream) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(detached{ctx})
	ctx = peer.NewContext(ctx, caller)
	ctx = metadata.NewIncomingContext(ctx, md)
	return grpc.NewContextWithServerTransportStream(ctx, stream), cancel
}
