package grant_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/pkce"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

func TestCodeIssuesTokensWithStatedLifetimes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Confidential()
	tokens := w.Tokens(p, a, "profile", "cv:read")
	if tokens.ExpiresIn != authtest.AccessLife || !slices.Equal(tokens.Scopes, []string{"profile", "cv:read"}) {
		t.Errorf("tokens %+v", tokens)
	}
	if !credential.WellFormed(credential.AccessToken, tokens.Access) || !credential.WellFormed(credential.RefreshToken, tokens.Refresh) {
		t.Errorf("the tokens are malformed: %+v", tokens)
	}
	live, lives := w.State(state.AccessToken, tokens.Access)
	if !lives || live.Connection.PersonID != p || live.AppID != a.App.ID || !live.ExpiresAt.Equal(authtest.Start.Add(authtest.AccessLife)) {
		t.Errorf("state %+v", live)
	}
	w.Clock.Advance(authtest.AccessLife - time.Microsecond)
	if !w.Lives(tokens.Access) {
		t.Error("the token expired too early")
	}
	w.Clock.Advance(time.Microsecond)
	if w.Lives(tokens.Access) {
		t.Error("the token did not expire")
	}
}

func TestRejectedCodeStaysValid(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, other := w.Person(), w.Confidential(), w.Confidential()
	code := w.Code(p, a, "profile")
	refusals := map[string]bool{} // the messages of all OAUTH_INVALID_GRANT errors
	for name, c := range map[string]struct {
		change func(*grant.Exchange)
		code   string
	}{
		"no code":                    {func(e *grant.Exchange) { e.Code = "" }, "OAUTH_INVALID_REQUEST"},
		"no redirect_uri":            {func(e *grant.Exchange) { e.RedirectURI = "" }, "OAUTH_INVALID_REQUEST"},
		"no verifier":                {func(e *grant.Exchange) { e.Verifier = "" }, "OAUTH_INVALID_REQUEST"},
		"a malformed verifier":       {func(e *grant.Exchange) { e.Verifier = "short" }, "OAUTH_INVALID_REQUEST"},
		"another verifier":           {func(e *grant.Exchange) { e.Verifier = strings.Repeat("a", 43) }, "OAUTH_INVALID_GRANT"},
		"the challenge as verifier":  {func(e *grant.Exchange) { e.Verifier = pkce.Challenge(e.Verifier) }, "OAUTH_INVALID_GRANT"},
		"another redirect_uri":       {func(e *grant.Exchange) { e.RedirectURI += "/" }, "OAUTH_INVALID_GRANT"},
		"another scheme":             {func(e *grant.Exchange) { e.RedirectURI = "http" + strings.TrimPrefix(e.RedirectURI, "https") }, "OAUTH_INVALID_GRANT"},
		"a query":                    {func(e *grant.Exchange) { e.RedirectURI += "?x=1" }, "OAUTH_INVALID_GRANT"},
		"a redirect_uri with a zero": {func(e *grant.Exchange) { e.RedirectURI += "\x00" }, "OAUTH_INVALID_GRANT"},
		"a malformed code":           {func(e *grant.Exchange) { e.Code = "svc_ac_x" }, "OAUTH_INVALID_GRANT"},
		"a code that never was":      {func(e *grant.Exchange) { e.Code = credential.New(credential.AuthorizationCode) }, "OAUTH_INVALID_GRANT"},
		"another client":             {func(e *grant.Exchange) { e.Client = other.Credentials }, "OAUTH_INVALID_GRANT"},
		"a wrong secret":             {func(e *grant.Exchange) { e.Client.Secret = other.Secret }, "OAUTH_INVALID_CLIENT"},
		"no secret":                  {func(e *grant.Exchange) { e.Client.Secret = "" }, "OAUTH_INVALID_CLIENT"},
		"an unknown client":          {func(e *grant.Exchange) { e.Client.ID = credential.New(credential.ClientID) }, "OAUTH_INVALID_CLIENT"},
		"a malformed client":         {func(e *grant.Exchange) { e.Client.ID = "x" }, "OAUTH_INVALID_CLIENT"},
		// If authentication fails, the response reveals nothing else about the request.
		"no code, wrong secret": {func(e *grant.Exchange) { e.Code, e.Client.Secret = "", other.Secret }, "OAUTH_INVALID_CLIENT"},
	} {
		e := authtest.Exchange(a, code)
		c.change(&e)
		tokens, err := w.Grant.ExchangeCode(t.Context(), e)
		wantCode(t, name, err, c.code)
		if tokens.Access != "" || tokens.Refresh != "" || tokens.Scopes != nil {
			t.Errorf("%s: got %+v", name, tokens)
		}
		if e, ok := errs.As(err); ok && c.code == "OAUTH_INVALID_GRANT" {
			refusals[e.Message] = true
		}
	}
	if len(refusals) != 1 {
		t.Errorf("the error messages reveal the reason: %v", refusals)
	}
	if _, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code)); err != nil {
		t.Errorf("the honest client cannot redeem the code: %v", err)
	}
}

func TestMissingParameterIsNamed(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	for field, change := range map[string]func(*grant.Exchange){
		"code":          func(e *grant.Exchange) { e.Code = "" },
		"redirect_uri":  func(e *grant.Exchange) { e.RedirectURI = "" },
		"code_verifier": func(e *grant.Exchange) { e.Verifier = "" },
	} {
		e := authtest.Exchange(a, credential.New(credential.AuthorizationCode))
		change(&e)
		_, err := w.Grant.ExchangeCode(t.Context(), e)
		if e, ok := errs.As(err); !ok || e.Field() != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	_, err := w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: a.Credentials})
	if e, ok := errs.As(err); !ok || e.Code != "OAUTH_INVALID_REQUEST" || e.Field() != "refresh_token" {
		t.Errorf("refresh_token: %v", err)
	}
}

func TestCodeLivesTenMinutes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Confidential()
	first, second := w.Code(p, a, "profile"), w.Code(p, a, "profile")
	w.Clock.Advance(authtest.CodeLife - time.Microsecond)
	_, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, first))
	w.Must(err)
	w.Clock.Advance(time.Microsecond)
	_, err = w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, second))
	wantCode(t, "after ten minutes", err, "OAUTH_INVALID_GRANT")
}

// (behaviour: tokens#replay-revokes-tokens-and-links)
func TestCodeReuseRevokesFamily(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*grant.Exchange){
		"unchanged":                 func(*grant.Exchange) {},
		"with a different verifier": func(e *grant.Exchange) { e.Verifier = strings.Repeat("a", 43) },
	} {
		w := authtest.New(t)
		p, a := w.Person(), w.Confidential()
		code := w.Code(p, a, authtest.Everything...)
		tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
		w.Must(err)
		bystander := w.Tokens(p, a, authtest.Everything...)
		live, _ := w.State(state.AccessToken, tokens.Access)
		link := live.Connection.LinkID
		w.Records.Reset()
		again := authtest.Exchange(a, code)
		change(&again)
		_, err = w.Grant.ExchangeCode(t.Context(), again)
		wantCode(t, name, err, "OAUTH_INVALID_GRANT")
		if w.Lives(tokens.Access) || w.LinkLives(link) {
			t.Errorf("%s: the tokens issued for the code are still live", name)
		}
		if !w.Records.Forgot(tokens.Access) || !w.Records.ForgotHash(state.LinkHash(link)) {
			t.Errorf("%s: the records of the tokens were not deleted", name)
		}
		_, err = w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: a.Credentials, Token: tokens.Refresh})
		wantCode(t, name+": its refresh token", err, "OAUTH_INVALID_GRANT")
		if !w.Lives(bystander.Access) {
			t.Errorf("%s: a token issued for a different code was revoked", name)
		}
	}
}

func TestCodeReuseByOtherClientIsHarmless(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, other := w.Confidential(), w.Confidential()
	code := w.Code(w.Person(), a, "profile")
	tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
	w.Must(err)
	e := authtest.Exchange(a, code)
	e.Client = other.Credentials
	_, err = w.Grant.ExchangeCode(t.Context(), e)
	wantCode(t, "another client", err, "OAUTH_INVALID_GRANT")
	e.Client = client.Credentials{ID: a.ClientID, Secret: other.Secret}
	_, err = w.Grant.ExchangeCode(t.Context(), e)
	wantCode(t, "without the secret", err, "OAUTH_INVALID_CLIENT")
	if !w.Lives(tokens.Access) {
		t.Error("the token was revoked")
	}
}

// As long as a stale record may exist, the response must not claim that everything has been revoked.
func TestCodeReuseWaitsForTheRecords(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	code := w.Code(w.Person(), a, "profile")
	_, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
	w.Must(err)
	w.Records.Break(errors.New("down"))
	ctx, cancel := context1s(t)
	defer cancel()
	if _, err := w.Grant.ExchangeCode(ctx, authtest.Exchange(a, code)); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("returned %v", err)
	}
}

func TestAppWithoutUserScopesGetsNoTokens(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	keysAlone := w.App(app.Creation{ClientType: app.Confidential})
	for name, e := range map[string]grant.Exchange{
		"well-formed": authtest.Exchange(keysAlone, credential.New(credential.AuthorizationCode)),
		"malformed":   {Client: keysAlone.Credentials},
	} {
		_, err := w.Grant.ExchangeCode(t.Context(), e)
		wantCode(t, name, err, "OAUTH_UNAUTHORIZED_CLIENT")
	}
	for _, token := range []string{credential.New(credential.RefreshToken), ""} {
		_, err := w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: keysAlone.Credentials, Token: token})
		wantCode(t, "refresh "+token, err, "OAUTH_UNAUTHORIZED_CLIENT")
	}
}

func TestSuspendedClientGetsNoTokens(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, public, suspended := w.Person(), w.App(app.Creation{ClientType: app.Public, Scopes: authtest.Everything}), w.Confidential()
	code := w.Code(p, public, "profile")
	e := authtest.Exchange(public, code)
	e.Client.Secret = credential.New(credential.ClientSecret)
	_, err := w.Grant.ExchangeCode(t.Context(), e)
	wantCode(t, "a public client with a secret", err, "OAUTH_INVALID_CLIENT")
	tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(public, code))
	w.Must(err)
	_, err = w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: public.Credentials, Token: tokens.Refresh})
	w.Must(err)

	code, tokens = w.Code(p, suspended, "profile"), w.Tokens(p, suspended, "profile")
	_, err = w.Accounts.Suspend(t.Context(), suspended.AccountID, "")
	w.Must(err)
	_, err = w.Grant.ExchangeCode(t.Context(), authtest.Exchange(suspended, code))
	wantCode(t, "a suspended client's code", err, "DEVELOPER_ACCOUNT_SUSPENDED")
	_, err = w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: suspended.Credentials, Token: tokens.Refresh})
	wantCode(t, "a suspended client's refresh token", err, "DEVELOPER_ACCOUNT_SUSPENDED")
	_, err = w.Accounts.Resume(t.Context(), suspended.AccountID)
	w.Must(err)
	_, err = w.Grant.ExchangeCode(t.Context(), authtest.Exchange(suspended, code))
	w.Must(err)
}

// (behaviour: usage#messages-of-errors)
func TestReasonOfInvalidGrantIsLogged(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, other := w.Person(), w.Confidential(), w.Confidential()
	reasonOf := func(err error) string {
		t.Helper()
		wantCode(t, "a refused grant", err, "OAUTH_INVALID_GRANT")
		if e, ok := errs.As(err); ok && len(e.Violations) == 1 && e.Field() == "" && e.Message == grant.ErrInvalidGrant.Message {
			return e.Violations[0].Description
		}
		return ""
	}
	code, used := w.Code(p, a, "profile"), w.Code(p, a, "profile")
	tokens, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, used))
	w.Must(err)
	for _, c := range []struct {
		want   string
		code   string
		change func(*grant.Exchange)
	}{
		{"no such code", credential.New(credential.AuthorizationCode), func(*grant.Exchange) {}},
		{"no such code", code, func(e *grant.Exchange) { e.Client = other.Credentials }},
		{"malformed", "svc_ac_x", func(*grant.Exchange) {}},
		{"redirect_uri", code, func(e *grant.Exchange) { e.RedirectURI += "/" }},
		{"code_verifier", code, func(e *grant.Exchange) { e.Verifier = strings.Repeat("a", 43) }},
		{"used before", used, func(*grant.Exchange) {}},
		{"expired", code, func(*grant.Exchange) { w.Clock.Advance(authtest.CodeLife) }},
	} {
		e := authtest.Exchange(a, c.code)
		c.change(&e)
		_, err := w.Grant.ExchangeCode(t.Context(), e)
		if got := reasonOf(err); !strings.Contains(got, c.want) {
			t.Errorf("logged %q, want %q", got, c.want)
		}
	}
	_, err = w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: a.Credentials, Token: tokens.Refresh})
	if got := reasonOf(err); !strings.Contains(got, "were revoked") {
		t.Errorf("for a revoked family: %q", got)
	}
}
