package inprocess

import (
	"context"
	"net"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

const (
	// handshakeTimeout bounds a handshake, which takes about a millisecond.
	handshakeTimeout = 5 * time.Second
	// refusedFor is how long the result of a handshake that failed stands. It is the longest
	// time between two attempts over the wire.
	refusedFor = time.Second
)

// session is what a connection is over the wire: the two sides know each other by their
// certificates, until the session is too old.
type session struct {
	server *Server
	// caller and callee are what the server knows of the caller, and the caller of the server.
	caller, callee peer.Peer
	until          time.Time
	// refused is why there is no session.
	refused error
}

// loopback is where calls come from and go to: this machine, as over the wire.
var loopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}

// newSession has both sides show and check their certificates, by the same TLS as over the
// wire. So a certificate of another authority, or one that has expired, opens nothing here
// either. What is said afterwards is not encrypted.
func newSession(ctx context.Context, s *Server, caller credentials.TransportCredentials) *session {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handshakeTimeout)
	defer cancel()
	near, far := net.Pipe()
	_ = far.SetDeadline(time.Now().Add(handshakeTimeout)) // a pipe always has deadlines
	defer near.Close()
	defer far.Close()
	type result struct {
		info credentials.AuthInfo
		err  error
	}
	taken := make(chan result, 1)
	go func() {
		_, info, err := s.credentials.ServerHandshake(far)
		if err != nil {
			_ = far.Close() // the caller must not wait for an answer
		}
		taken <- result{info, err}
	}()
	_, info, err := caller.ClientHandshake(ctx, "", near)
	// The server has read all that the caller has written. What it may still write, that it
	// refuses the caller, nobody reads: it must not wait for that.
	_ = near.Close()
	got := <-taken
	if err == nil {
		err = got.err // the caller is done before the server has checked its certificate
	}
	now := time.Now()
	if err != nil {
		refused := status.Errorf(codes.Unavailable, "connection error: authentication handshake failed: %v", err)
		return &session{server: s, until: now.Add(refusedFor), refused: refused}
	}
	return &session{
		server: s, until: now.Add(s.sessionAge),
		caller: peer.Peer{Addr: loopback, LocalAddr: loopback, AuthInfo: got.info},
		callee: peer.Peer{Addr: loopback, LocalAddr: loopback, AuthInfo: info},
	}
}
