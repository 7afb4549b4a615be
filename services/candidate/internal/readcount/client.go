// Package readcount is the client of service auth that tells who looked at applications. auth
// counts it from the request log.
//
// It must never decide who may see it: package applicant does.
package readcount

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/candidate/internal/applicant"
)

// Client implements applicant.Reads.
type Client struct {
	reads authv1.ApplicationReadServiceClient
}

var _ applicant.Reads = (*Client)(nil)

// New makes a client on a connection of grpcx.Dial, which stays the caller's.
func New(conn grpc.ClientConnInterface) (*Client, error) {
	if conn == nil {
		return nil, errors.New("readcount: a connection is required")
	}
	return &Client{reads: authv1.NewApplicationReadServiceClient(conn)}, nil
}

func (c *Client) Reads(ctx context.Context, applicationIDs []string) (map[string][]applicant.Read, error) {
	resp, err := c.reads.ListApplicationReads(ctx, &authv1.ListApplicationReadsRequest{ApplicationIds: applicationIDs})
	if err != nil {
		return nil, fmt.Errorf("readcount: list reads: %w", err)
	}
	reads := map[string][]applicant.Read{}
	for _, r := range resp.GetReads() {
		id := r.GetApplicationId()
		reads[id] = append(reads[id], applicant.Read{AppName: r.GetAppName(), Day: r.GetDay(), Count: r.GetReads(), Latest: r.GetLastAt().AsTime()})
	}
	return reads, nil
}
