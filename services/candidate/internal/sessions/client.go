package sessions

import (
	"context"
	"errors"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/presence"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Client asks auth.
type Client struct{ auth authv1.SessionServiceClient }

var _ grpcserver.Sessions = (*Client)(nil)

// New makes a client on a connection of grpcx.Dial, which stays the caller's.
func New(conn grpc.ClientConnInterface) (*Client, error) {
	if conn == nil {
		return nil, errors.New("sessions: a connection is required")
	}
	return &Client{auth: authv1.NewSessionServiceClient(conn)}, nil
}

func (c *Client) Who(ctx context.Context, token string) (personID string, proven bool, err error) {
	resp, err := c.auth.GetSession(ctx, &authv1.GetSessionRequest{SessionToken: token})
	if errs.HasCode(err, presence.ErrEnded.Code) {
		return "", false, presence.ErrEnded
	}
	return resp.GetPerson().GetId(), resp.GetProven(), err
}
