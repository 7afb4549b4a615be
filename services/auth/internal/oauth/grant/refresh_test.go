package grant_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/scope"
)

func context1s(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), time.Second)
}

// story holds an app with a person's tokens.
type story struct {
	*authtest.World
	t      *testing.T
	person string
	app    authtest.App
	grant.Tokens
}

func begin(t *testing.T, scopes ...string) *story {
	t.Helper()
	w := authtest.New(t)
	s := &story{World: w, t: t, person: w.Person(), app: w.Confidential()}
	s.Tokens = w.Tokens(s.person, s.app, scopes...)
	return s
}

func (s *story) try(token, scope string) (grant.Tokens, error) {
	return s.Grant.RefreshToken(s.t.Context(), grant.Refresh{Client: s.app.Credentials, Token: token, Scope: scope})
}

func (s *story) refresh(token string) grant.Tokens {
	s.t.Helper()
	tokens, err := s.try(token, "")
	s.Must(err)
	return tokens
}

func TestRefreshRotatesAndRenews90Days(t *testing.T) {
	t.Parallel()
	s := begin(t, authtest.Everything...)
	early := s.refresh(s.Refresh)
	if !s.Lives(s.Access) || !s.Lives(early.Access) {
		t.Error("a refresh ended an access token")
	}
	s.Clock.Advance(authtest.RefreshLife - time.Microsecond)
	second := s.refresh(early.Refresh)
	if second.Access == s.Access || second.Refresh == s.Refresh || second.ExpiresIn != authtest.AccessLife {
		t.Errorf("second pair %+v", second)
	}
	if !slices.Equal(second.Scopes, authtest.Everything) || !s.Lives(second.Access) {
		t.Errorf("scopes %v, or the token is not live", second.Scopes)
	}
	s.Clock.Advance(authtest.RefreshLife - time.Microsecond)
	third := s.refresh(second.Refresh)
	s.Clock.Advance(authtest.RefreshLife)
	_, err := s.try(third.Refresh, "")
	wantCode(t, "after 90 days", err, "OAUTH_INVALID_GRANT")
}

func TestNarrowerRefreshKeepsTheGrant(t *testing.T) {
	t.Parallel()
	s := begin(t, "profile", "email", "cv:read")
	narrow, err := s.try(s.Refresh, " profile  email ")
	s.Must(err)
	if live, _ := s.State(state.AccessToken, narrow.Access); !slices.Equal(narrow.Scopes, []string{"profile", "email"}) || !slices.Equal(live.Scopes, narrow.Scopes) {
		t.Errorf("narrower request: %v, stored %v", narrow.Scopes, live.Scopes)
	}
	for scope, code := range map[string]string{
		"profile cv:contact cv:read":         "OAUTH_INVALID_SCOPE", // cv:contact was not granted
		"profile openid":                     "OAUTH_INVALID_SCOPE",
		strings.Repeat(" ", 4097):            "OAUTH_INVALID_REQUEST",
		"profile" + strings.Repeat(" ", 5e3): "OAUTH_INVALID_REQUEST",
	} {
		_, err := s.try(narrow.Refresh, scope)
		wantCode(t, scope, err, code)
	}
	whole, err := s.try(narrow.Refresh, "profile email cv:read"+strings.Repeat(" ", 4096-len("profile email cv:read")))
	s.Must(err)
	if !slices.Equal(whole.Scopes, []string{"profile", "email", "cv:read"}) {
		t.Errorf("the grant was narrowed to %v", whole.Scopes)
	}
}

// (behaviour: tokens#grants-without-scopes)
func TestRefreshUsesConsentedScopes(t *testing.T) {
	t.Parallel()
	s := begin(t, "email", "profile")
	s.Code(s.person, s.app, "profile") // a new consent to fewer scopes
	_, err := s.try(s.Refresh, "email")
	wantCode(t, "a scope that was taken back", err, "OAUTH_INVALID_SCOPE")
	second := s.refresh(s.Refresh)
	if !slices.Equal(second.Scopes, []string{"profile"}) {
		t.Errorf("scopes %v", second.Scopes)
	}
	_, err = s.Pool.Exec(t.Context(), "UPDATE connections SET granted_scopes = '{cv:read}'")
	s.Must(err)
	_, err = s.try(second.Refresh, "")
	wantCode(t, "nothing is left", err, "OAUTH_INVALID_SCOPE")
	_, err = s.Pool.Exec(t.Context(), "UPDATE connections SET ended_at = now()")
	s.Must(err)
	_, err = s.try(second.Refresh, "")
	wantCode(t, "disconnected", err, "OAUTH_INVALID_GRANT")
}

func TestRefreshReuseRevokesFamily(t *testing.T) {
	t.Parallel()
	s := begin(t, authtest.Everything...)
	bystander := s.World.Tokens(s.person, s.app, authtest.Everything...)
	second := s.refresh(s.Refresh)
	third := s.refresh(second.Refresh)
	live, _ := s.State(state.AccessToken, third.Access)
	s.Records.Reset()
	_, err := s.try(s.Refresh, "openid")
	wantCode(t, "an unknown scope is looked at first", err, "OAUTH_INVALID_SCOPE")
	if !s.Lives(third.Access) {
		t.Fatal("a malformed request revoked the family")
	}
	_, err = s.try(s.Refresh, "")
	wantCode(t, "the first", err, "OAUTH_INVALID_GRANT")
	for name, token := range map[string]string{"first": s.Access, "second": second.Access, "third": third.Access} {
		if s.Lives(token) || !s.Records.Forgot(token) {
			t.Errorf("the %s access token is still live, or its record still exists", name)
		}
	}
	if s.LinkLives(live.Connection.LinkID) {
		t.Error("the durable link is still live")
	}
	_, err = s.try(third.Refresh, "")
	wantCode(t, "the newest", err, "OAUTH_INVALID_GRANT")
	if !s.Lives(bystander.Access) {
		t.Error("a different family of the connection was revoked")
	}
	s.refresh(bystander.Refresh)
}

func TestRefreshTokenIsBoundToItsClient(t *testing.T) {
	t.Parallel()
	s := begin(t, "profile")
	other := s.Confidential()
	rotated := s.refresh(s.Refresh)
	for name, c := range map[string]struct {
		refresh grant.Refresh
		code    string
	}{
		"another client, live":         {grant.Refresh{Client: other.Credentials, Token: rotated.Refresh}, "OAUTH_INVALID_GRANT"},
		"another client, rotated":      {grant.Refresh{Client: other.Credentials, Token: s.Refresh}, "OAUTH_INVALID_GRANT"},
		"an access token":              {grant.Refresh{Client: s.app.Credentials, Token: rotated.Access}, "OAUTH_INVALID_GRANT"},
		"a token that never was":       {grant.Refresh{Client: s.app.Credentials, Token: credential.New(credential.RefreshToken)}, "OAUTH_INVALID_GRANT"},
		"a malformed client":           {grant.Refresh{Token: rotated.Refresh}, "OAUTH_INVALID_CLIENT"},
		"no secret, live":              {grant.Refresh{Client: withoutSecret(s.app), Token: rotated.Refresh}, "OAUTH_INVALID_CLIENT"},
		"no secret, rotated":           {grant.Refresh{Client: withoutSecret(s.app), Token: s.Refresh}, "OAUTH_INVALID_CLIENT"},
		"no secret, and no token":      {grant.Refresh{Client: withoutSecret(s.app)}, "OAUTH_INVALID_CLIENT"},
		"the form counts before scope": {grant.Refresh{Client: s.app.Credentials, Token: "x", Scope: "openid"}, "OAUTH_INVALID_GRANT"},
	} {
		tokens, err := s.Grant.RefreshToken(t.Context(), c.refresh)
		wantCode(t, name, err, c.code)
		if tokens.Access != "" || tokens.Refresh != "" {
			t.Errorf("%s: got %+v", name, tokens)
		}
	}
	if !s.Lives(rotated.Access) {
		t.Error("the request revoked the family")
	}
	s.refresh(rotated.Refresh)
}

func TestInvalidRefreshTokenIgnoresScope(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*story){
		"expired": func(s *story) { s.Clock.Advance(authtest.RefreshLife) },
		"revoked": func(s *story) { s.Must(s.Token.Revoke(t.Context(), s.app.Credentials, s.Refresh)) },
		"disconnected": func(s *story) {
			_, err := s.Pool.Exec(t.Context(), "UPDATE connections SET ended_at = now()")
			s.Must(err)
		},
	} {
		s := begin(t, "profile")
		end(s)
		for _, scope := range []string{"", "profile", "profile email"} {
			_, err := s.try(s.Refresh, scope)
			wantCode(t, name+", asked for "+scope, err, "OAUTH_INVALID_GRANT")
		}
	}
}

// late is a store whose Rotate always fails, as if the reason for the failure had disappeared by the time it is
// determined.
type late struct{ grant.Store }

func (late) Rotate(context.Context, grant.Rotation, grant.Issue) (scope.Set, bool, error) {
	return nil, false, nil
}

func TestLostRefreshRaceIsNotAScopeError(t *testing.T) {
	t.Parallel()
	s := begin(t, "profile", "email")
	service, err := grant.NewService(grant.Config{
		Store: late{s.Stores.Grants}, Revocations: s.Publisher, AccessLife: authtest.AccessLife, RefreshLife: authtest.RefreshLife, Clock: s.Clock,
	})
	s.Must(err)
	for asked, code := range map[string]string{
		"": "OAUTH_INVALID_GRANT", "email": "OAUTH_INVALID_GRANT", "profile email": "OAUTH_INVALID_GRANT", "profile cv:read": "OAUTH_INVALID_SCOPE",
	} {
		_, err := service.RefreshToken(t.Context(), grant.Refresh{Client: s.app.Credentials, Token: s.Refresh, Scope: asked})
		wantCode(t, "asked for "+asked, err, code)
	}
	s.refresh(s.Refresh) // the token was not consumed
}
