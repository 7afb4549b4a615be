package pages

import (
	"context"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// person is a person who is signed in at a browser.
type person struct {
	*authv1.Person
	token string
	// leaving is when the account is deleted, the zero time if it is not to be.
	leaving time.Time
	// proven says that the person has proven to be there lately.
	proven bool
}

func (p person) Leaving() time.Time { return p.leaving }

func (p person) SessionToken() string { return p.token }

// Account implements web.Visitor: the e-mail address.
func (p person) Account() string { return p.GetEmail() }

func (p person) Language() string { return p.GetLanguage() }

// actor lets the person act for themselves.
func (p person) actor() *authv1.Actor {
	return &authv1.Actor{By: &authv1.Actor_SessionToken{SessionToken: p.token}}
}

// resolver finds who is signed in, by asking auth.
type resolver struct{ auth authv1.SessionServiceClient }

// signedIn lets handlers know who is signed in.
type signedIn = web.Sessions[person]

func (p resolver) Resolve(ctx context.Context, token string) (person, error) {
	resp, err := p.auth.GetSession(ctx, &authv1.GetSessionRequest{SessionToken: token})
	who := person{Person: resp.GetPerson(), token: token, proven: resp.GetProven()}
	if due := resp.GetDeletionDueAt(); due != nil {
		who.leaving = due.AsTime()
	}
	return who, err
}

// listConnections gives the apps that the person has connected.
func listConnections(ctx context.Context, auth authv1.ConnectionServiceClient, p person) ([]*authv1.Connection, error) {
	resp, err := auth.ListConnections(ctx, &authv1.ListConnectionsRequest{Actor: p.actor()})
	return resp.GetConnections(), err
}

// listCVs gives what the person can share. A person without a profile can share
// nothing.
func listCVs(ctx context.Context, profiles candidatev1.ProfileServiceClient, p person) (*candidatev1.ListOwnCvsResponse, error) {
	resp, err := profiles.ListOwnCvs(ctx, &candidatev1.ListOwnCvsRequest{SessionToken: p.token})
	if errs.KindOf(err) == errs.NotFound {
		return &candidatev1.ListOwnCvsResponse{}, nil
	}
	return resp, err
}
