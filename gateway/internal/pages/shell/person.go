package shell

import (
	"context"
	"slices"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Person is the person who is signed in to a browser.
type Person struct {
	*authv1.Person
	// Token is the session token.
	Token string
	// Proven reports whether the person has re-authenticated recently.
	Proven  bool
	leaving time.Time
}

// Leaving returns when the account will be deleted, or the zero time if no deletion is pending.
func (p Person) Leaving() time.Time { return p.leaving }

func (p Person) SessionToken() string { return p.Token }

// Account returns the email address.
func (p Person) Account() string { return p.GetEmail() }

func (p Person) Language() string { return p.GetLanguage() }

// Actor returns the actor for requests that the person makes on their own behalf.
func (p Person) Actor() *authv1.Actor {
	return &authv1.Actor{By: &authv1.Actor_SessionToken{SessionToken: p.Token}}
}

// resolver looks up the signed-in person in the auth service.
type resolver struct{ auth authv1.SessionServiceClient }

// NewSessions returns the sessions of a site.
func NewSessions(site *web.Site, auth authv1.SessionServiceClient) web.Sessions[Person] {
	return web.NewSessions(site, resolver{auth})
}

func (s resolver) Resolve(ctx context.Context, token string) (Person, error) {
	resp, err := s.auth.GetSession(ctx, &authv1.GetSessionRequest{SessionToken: token})
	who := Person{Person: resp.GetPerson(), Token: token, Proven: resp.GetProven()}
	if due := resp.GetDeletionDueAt(); due != nil {
		who.leaving = due.AsTime()
	}
	return who, err
}

// MainCV is the id of the main CV, which people can share before it has any content.
const MainCV = "master"

// ListConnections returns the person's connections.
func ListConnections(ctx context.Context, auth authv1.ConnectionServiceClient, p Person) ([]*authv1.Connection, error) {
	resp, err := auth.ListConnections(ctx, &authv1.ListConnectionsRequest{Actor: p.Actor()})
	return resp.GetConnections(), err
}

// CodeCVNotFound is the candidate service's error code for a CV that the person cannot share.
const CodeCVNotFound = "CV_NOT_FOUND"

// ListCVs returns the CVs that the person can share, or none if the person has no profile. It
// returns CodeCVNotFound if cvID is not empty and the person cannot share that CV.
func ListCVs(ctx context.Context, profiles candidatev1.ProfileServiceClient, p Person, cvID string) (*candidatev1.ListOwnCvsResponse, error) {
	return profiles.ListOwnCvs(ctx, &candidatev1.ListOwnCvsRequest{SessionToken: p.Token, CvId: cvID})
}

// HasCV reports whether one of the CVs has the id.
func HasCV(cvs []*candidatev1.CvReference, id string) bool {
	return slices.ContainsFunc(cvs, func(cv *candidatev1.CvReference) bool { return cv.GetId() == id })
}
