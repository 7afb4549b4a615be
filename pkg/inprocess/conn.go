package inprocess

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
)

// Conn is a connection to a part. It is safe for concurrent use.
type Conn struct {
	process *Process
	name    string
	caller  credentials.TransportCredentials

	session atomic.Pointer[session]
	// renewing lets one call at a time make a session.
	renewing sync.Mutex
	closed   atomic.Bool
}

var _ grpc.ClientConnInterface = (*Conn)(nil)

// Close refuses further calls.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return errClosed
	}
	return nil
}

var (
	errClosed = status.Error(codes.Canceled, "grpc: the client connection is closing")
	errAway   = status.Error(codes.Unavailable, "connection error: the part does not serve")
	errCut    = status.Error(codes.Unavailable, "error reading from server: the part has stopped")
)

// begin enters a call at the server of the part. The call must leave it at its end.
func (c *Conn) begin(ctx context.Context) (*session, error) {
	if c.closed.Load() {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	s := c.session.Load()
	if s == nil || s.server.stopping() || !time.Now().Before(s.until) {
		var err error
		if s, err = c.renew(ctx); err != nil {
			return nil, err
		}
	}
	if s.refused != nil {
		return nil, s.refused
	}
	if !s.server.enter() {
		return nil, errAway
	}
	return s, nil
}

// renew makes a session with the server that is there now.
func (c *Conn) renew(ctx context.Context) (*session, error) {
	c.renewing.Lock()
	defer c.renewing.Unlock()
	server := c.process.server(c.name)
	if server == nil || server.stopping() {
		return nil, errAway
	}
	if s := c.session.Load(); s != nil && s.server == server && time.Now().Before(s.until) {
		return s, nil // another call has made it
	}
	s := newSession(ctx, server, c.caller)
	c.session.Store(s)
	return s, nil
}
