// Package candidate is the gRPC client of the candidate service: it creates profiles and
// erases a person's data there.
package candidate

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/auth/internal/people/deletion"
	"vitae.internal/services/auth/internal/people/newprofile"
)

// Client implements newprofile.Profiles and deletion.Elsewhere.
type Client struct {
	profiles candidatev1.ProfileServiceClient
	data     candidatev1.PersonDataServiceClient
}

var (
	_ newprofile.Profiles = (*Client)(nil)
	_ deletion.Elsewhere  = (*Client)(nil)
)

// New returns a client. The caller keeps ownership of conn.
func New(conn grpc.ClientConnInterface) (*Client, error) {
	if conn == nil {
		return nil, errors.New("candidate: a connection is required")
	}
	return &Client{profiles: candidatev1.NewProfileServiceClient(conn), data: candidatev1.NewPersonDataServiceClient(conn)}, nil
}

// codeExists is candidate's error code for a person who already has a profile.
const codeExists = "PROFILE_EXISTS"

// Create creates a profile. It succeeds if the person already has one.
func (c *Client) Create(ctx context.Context, e newprofile.Entry) error {
	_, err := c.profiles.CreateProfile(ctx, &candidatev1.CreateProfileRequest{Profile: &candidatev1.Profile{
		PersonId: e.Person.ID, Email: e.Person.Email, EmailVerified: e.Person.EmailVerified, Name: e.Name, Locale: e.Language,
	}})
	if err == nil || errs.HasCode(err, codeExists) {
		return nil
	}
	return fmt.Errorf("candidate: create profile: %w", err)
}

// Erase deletes a person's data.
func (c *Client) Erase(ctx context.Context, personID string) error {
	if _, err := c.data.ErasePerson(ctx, &candidatev1.ErasePersonRequest{PersonId: personID}); err != nil {
		return fmt.Errorf("candidate: erase person: %w", err)
	}
	return nil
}
