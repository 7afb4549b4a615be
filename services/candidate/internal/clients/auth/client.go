package auth

import (
	"context"
	"fmt"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/presence"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/newprofile"
)

// Client calls the auth service.
type Client struct {
	sessions authv1.SessionServiceClient
	signUps  authv1.SignUpServiceClient
	data     authv1.PersonDataServiceClient
	reads    authv1.ApplicationReadServiceClient
}

var (
	_ grpcserver.Sessions = (*Client)(nil)
	_ export.Account      = (*Client)(nil)
	_ applicant.Reads     = (*Client)(nil)
	_ newprofile.SignUps  = (*Client)(nil)
	_ erasure.Deletions   = (*Client)(nil)
)

// New returns a Client that uses conn, a connection from grpcx.Dial. The caller must close conn.
func New(conn grpc.ClientConnInterface) *Client {
	return &Client{
		sessions: authv1.NewSessionServiceClient(conn), signUps: authv1.NewSignUpServiceClient(conn), data: authv1.NewPersonDataServiceClient(conn), reads: authv1.NewApplicationReadServiceClient(conn),
	}
}

func (c *Client) Who(ctx context.Context, token string) (personID string, proven bool, err error) {
	resp, err := c.sessions.GetSession(ctx, &authv1.GetSessionRequest{SessionToken: token})
	if errs.HasCode(err, presence.ErrEnded.Code) {
		return "", false, presence.ErrEnded
	}
	return resp.GetPerson().GetId(), resp.GetProven(), err
}

func (c *Client) Reads(ctx context.Context, applicationIDs []string) (map[string][]applicant.Read, error) {
	resp, err := c.reads.ListApplicationReads(ctx, &authv1.ListApplicationReadsRequest{ApplicationIds: applicationIDs})
	if err != nil {
		return nil, fmt.Errorf("auth client: list reads: %w", err)
	}
	reads := map[string][]applicant.Read{}
	for _, r := range resp.GetReads() {
		id := r.GetApplicationId()
		reads[id] = append(reads[id], applicant.Read{AppName: r.GetAppName(), Day: r.GetDay(), Count: r.GetReads(), Latest: r.GetLastAt().AsTime()})
	}
	return reads, nil
}
