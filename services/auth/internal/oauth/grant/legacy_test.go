package grant_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
)

func withoutSecret(a authtest.App) client.Credentials { return client.Credentials{ID: a.ClientID} }

func TestLegacyCodeIssuesOnlyAnAccessToken(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Legacy()
	code := w.LegacyCode(p, a)
	token, err := w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: code})
	w.Must(err)
	if token.ExpiresIn != authtest.AccessLife || len(token.Scopes) != 1 || token.Scopes[0] != "profile:read" {
		t.Errorf("token %+v", token)
	}
	if _, lives := w.State(state.LegacyToken, token.Access); !lives || w.Lives(token.Access) {
		t.Error("the token is not live, or it is live in the other interface")
	}
	w.Clock.Advance(authtest.AccessLife)
	if _, lives := w.State(state.LegacyToken, token.Access); lives {
		t.Error("the token did not expire")
	}
	_, err = w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: code})
	wantCode(t, "again", err, "OAUTH_INVALID_GRANT")
}

func TestRejectedLegacyCodeStaysValid(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, other, modern := w.Person(), w.Legacy(), w.Legacy(), w.Confidential()
	code := w.LegacyCode(p, a)
	wrong := client.Credentials{ID: a.ClientID, Secret: other.Secret}
	for name, c := range map[string]struct {
		exchange grant.LegacyExchange
		code     string
	}{
		"no code":                       {grant.LegacyExchange{Client: a.Credentials}, "OAUTH_INVALID_REQUEST"},
		"a malformed code":              {grant.LegacyExchange{Client: a.Credentials, Code: "x"}, "OAUTH_INVALID_GRANT"},
		"a code of the other interface": {grant.LegacyExchange{Client: a.Credentials, Code: w.Code(p, a, "profile")}, "OAUTH_INVALID_GRANT"},
		"another client":                {grant.LegacyExchange{Client: other.Credentials, Code: code}, "OAUTH_INVALID_GRANT"},
		"a client without the mark":     {grant.LegacyExchange{Client: modern.Credentials, Code: code}, "OAUTH_INVALID_CLIENT"},
		"the same, without a code":      {grant.LegacyExchange{Client: modern.Credentials}, "OAUTH_INVALID_CLIENT"},
		"a wrong secret":                {grant.LegacyExchange{Client: wrong, Code: code}, "OAUTH_INVALID_CLIENT"},
		"a wrong secret, no code":       {grant.LegacyExchange{Client: wrong}, "OAUTH_INVALID_CLIENT"},
		"a malformed client":            {grant.LegacyExchange{Client: client.Credentials{ID: "x", Secret: a.Secret}, Code: code}, "OAUTH_INVALID_CLIENT"},
	} {
		token, err := w.Grant.ExchangeLegacyCode(t.Context(), c.exchange)
		wantCode(t, name, err, c.code)
		if token.Access != "" {
			t.Errorf("%s: got %+v", name, token)
		}
	}
	_, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, code))
	wantCode(t, "at the other interface", err, "OAUTH_INVALID_GRANT")
	w.Clock.Advance(authtest.CodeLife - time.Microsecond)
	_, err = w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: code})
	w.Must(err)
	late := w.LegacyCode(p, a)
	w.Clock.Advance(authtest.CodeLife)
	_, err = w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: late})
	wantCode(t, "too late", err, "OAUTH_INVALID_GRANT")
}

// A token that was revoked because its code was replayed must not be reported as expired, because apps react to
// expired tokens by asking the person for consent again.
func TestReplayedLegacyTokenIsNotExpired(t *testing.T) {
	t.Parallel()
	for name, advance := range map[string]time.Duration{"live": time.Minute, "expired": 2 * authtest.AccessLife} {
		w := authtest.New(t)
		a := w.Legacy()
		code := w.LegacyCode(w.Person(), a)
		token, err := w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: code})
		w.Must(err)
		w.Clock.Advance(advance)
		_, err = w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: code})
		wantCode(t, name, err, "OAUTH_INVALID_GRANT")
		w.Clock.Advance(2 * authtest.AccessLife)
		expired, err := w.Stores.States.LegacyTokenExpired(t.Context(), credential.Hash(token.Access), w.Clock.Now())
		if err != nil || expired {
			t.Errorf("%s: reported as expired: %t, %v", name, expired, err)
		}
	}
}

func TestExpiredLegacyTokenIsKnownFor30Days(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	w.LegacyToken(w.Person(), a)
	var until time.Time
	w.Must(w.Pool.QueryRow(t.Context(), "SELECT expires_at FROM token_families").Scan(&until))
	if want := authtest.Start.Add(authtest.AccessLife + 30*24*time.Hour); !until.Equal(want) {
		t.Errorf("stored until %v, want %v", until, want)
	}
}

func TestSuspendedLegacyClientIsReported(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	if c, err := w.Grant.AuthenticateLegacy(t.Context(), a.Credentials); err != nil || c.Suspended || c.App.ID != a.App.ID {
		t.Errorf("%+v, %v", c, err)
	}
	code := w.LegacyCode(w.Person(), a)
	_, err := w.Accounts.Suspend(t.Context(), a.AccountID, "")
	w.Must(err)
	if c, err := w.Grant.AuthenticateLegacy(t.Context(), a.Credentials); err != nil || !c.Suspended {
		t.Errorf("suspended: %+v, %v", c, err)
	}
	for name, given := range map[string]client.Credentials{
		"without a secret": withoutSecret(a), "unmarked": w.Confidential().Credentials,
	} {
		_, err := w.Grant.AuthenticateLegacy(t.Context(), given)
		wantCode(t, name, err, "OAUTH_INVALID_CLIENT")
	}
	_, err = w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: code})
	wantCode(t, "a suspended client's code", err, "DEVELOPER_ACCOUNT_SUSPENDED")
}

func TestStoreErrorIsReturned(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	w.Pool.Close()
	for name, try := range map[string]func() error{
		"code": func() error {
			_, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, credential.New(credential.AuthorizationCode)))
			return err
		},
		"refresh": func() error {
			_, err := w.Grant.RefreshToken(t.Context(), grant.Refresh{Client: a.Credentials, Token: credential.New(credential.RefreshToken)})
			return err
		},
		"legacy code": func() error {
			_, err := w.Grant.ExchangeLegacyCode(t.Context(), grant.LegacyExchange{Client: a.Credentials, Code: credential.New(credential.AuthorizationCode)})
			return err
		},
		"no code": func() error {
			_, err := w.Grant.ExchangeCode(t.Context(), grant.Exchange{Client: a.Credentials})
			return err
		},
	} {
		err := try()
		var e *errs.Error
		if err == nil || errors.As(err, &e) && e.Kind != errs.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
}
