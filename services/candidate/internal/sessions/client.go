package sessions

import (
	"context"
	"errors"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// ErrEnded is for a session that auth does not know, or that has ended.
var ErrEnded = errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended. Sign in again.")

// Client asks auth.
type Client struct{ auth authv1.SessionServiceClient }

// New makes a client on a connection of grpcx.Dial, which stays the caller's.
func New(conn grpc.ClientConnInterface) (*Client, error) {
	if conn == nil {
		return nil, errors.New("sessions: a connection is required")
	}
	return &Client{auth: authv1.NewSessionServiceClient(conn)}, nil
}

// Person gives the id of the person who is signed in by a session token.
// Errors: SESSION_ENDED.
func (c *Client) Person(ctx context.Context, token string) (string, error) {
	resp, err := c.auth.GetSession(ctx, &authv1.GetSessionRequest{SessionToken: token})
	if errs.HasCode(err, ErrEnded.Code) {
		return "", ErrEnded
	}
	return resp.GetPerson().GetId(), err
}
