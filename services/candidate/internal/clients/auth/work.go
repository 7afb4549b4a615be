package auth

import (
	"context"
	"fmt"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/profile"
)

func (c *Client) NewProfiles(ctx context.Context, personID string) ([]profile.Person, error) {
	resp, err := c.signUps.ListNewProfiles(ctx, &authv1.ListNewProfilesRequest{PersonId: personID})
	if err != nil {
		return nil, fmt.Errorf("auth client: list new profiles: %w", err)
	}
	people := make([]profile.Person, len(resp.GetProfiles()))
	for i, p := range resp.GetProfiles() {
		who := p.GetPerson()
		people[i] = profile.Person{
			ID: who.GetId(), Email: who.GetEmail(), EmailVerified: who.GetEmailVerified(), Name: p.GetName(), Locale: who.GetLanguage(),
		}
	}
	return people, nil
}

func (c *Client) DropNewProfile(ctx context.Context, personID string) error {
	if _, err := c.signUps.DropNewProfile(ctx, &authv1.DropNewProfileRequest{PersonId: personID}); err != nil {
		return fmt.Errorf("auth client: drop a new profile: %w", err)
	}
	return nil
}

func (c *Client) LeaseErasures(ctx context.Context) ([]erasure.Due, error) {
	resp, err := c.data.LeaseErasures(ctx, &authv1.LeaseErasuresRequest{})
	if err != nil {
		return nil, fmt.Errorf("auth client: lease erasures: %w", err)
	}
	due := make([]erasure.Due, len(resp.GetErasures()))
	for i, e := range resp.GetErasures() {
		due[i] = erasure.Due{PersonID: e.GetPersonId(), Step: int(e.GetStep())}
	}
	return due, nil
}

func (c *Client) FinishErasure(ctx context.Context, d erasure.Due) error {
	_, err := c.data.FinishErasure(ctx, &authv1.FinishErasureRequest{Erasure: &authv1.Erasure{PersonId: d.PersonID, Step: int32(d.Step)}})
	if err != nil {
		return fmt.Errorf("auth client: finish an erasure: %w", err)
	}
	return nil
}
