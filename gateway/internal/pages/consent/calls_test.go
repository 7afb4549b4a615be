package consent_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// together is a connection on which the check of a request does not return until the calls about the person
// have begun.
type together struct {
	grpc.ClientConnInterface
	begun *sync.WaitGroup
}

func (c together) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	switch method {
	case candidatev1.ProfileService_ListOwnCvs_FullMethodName, authv1.ConnectionService_ListConnections_FullMethodName:
		c.begun.Done()
	case authv1.OAuthService_CheckAuthorization_FullMethodName:
		c.begun.Wait()
	}
	return c.ClientConnInterface.Invoke(ctx, method, args, reply, opts...)
}

func TestConsentMakesTwoSequentialCalls(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	begun := new(sync.WaitGroup)
	begun.Add(2)
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) {
		c.Auth, c.Candidate = together{c.Auth, begun}, together{c.Candidate, begun}
	})
	if page := v.Get(pagestest.ConsentPath); page.StatusCode != http.StatusOK || page.ByID("scope-cv") == nil {
		t.Errorf("status %d: %s", page.StatusCode, page.Text())
	}
}
