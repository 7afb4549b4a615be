package admission

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// noting is an ErrorWriter that copies the Exchange.
func noting(into *chain.Exchange) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		*into = *chain.ExchangeOf(r.Context())
		byKind(w, r, err)
	}
}

func TestExchangeHasCallerAndCharge(t *testing.T) {
	owner := chain.Caller{AccountID: "dev_1", AppID: "app_1", ConnectionID: "con_1"}
	for name, c := range map[string]struct {
		change  func(*book)
		charged bool
	}{
		"admitted":  {func(b *book) { b.decision.Outcome = limits.Admitted }, true},
		"refused":   {func(b *book) { b.decision.Outcome, b.decision.Refusal = "refused", errOver }, false},
		"suspended": {func(b *book) { b.record.AccountSuspended = true }, false},
	} {
		b := &book{record: live()}
		c.change(b)
		r := from("192.0.2.1:1")
		r.Header.Set("Authorization", "Bearer "+credential.New(credential.AccessToken))
		var got chain.Exchange
		behindWith(t, noting(&got), r, newGate(t, b, &counters{}).UserToken("cv:read", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = *chain.ExchangeOf(r.Context())
		})))
		if got.Caller != owner || got.ChargedAt.IsZero() == c.charged || c.charged && !got.ChargedAt.Equal(time.UnixMicro(1_772_000_000_000_000)) {
			t.Errorf("%s: of %+v, charged at %v", name, got.Caller, got.ChargedAt)
		}
	}
}

func TestEndedSecretIsLimited(t *testing.T) {
	c := &counters{}
	clients := newClients(t, c)
	admitted(t, "192.0.2.1:1", func(r *http.Request) {
		clients.Proven(r, secret("a"))
		clients.Failed(r, secret("a"))
		c.over = []string{"failed client"}
		if err := admit(clients, r, secret("a")); !errors.Is(err, errOver) {
			t.Errorf("it passes: %v", err)
		}
	})
}

func TestPartnerHeadersAreAlwaysSet(t *testing.T) {
	for name, suspended := range map[string]bool{"live": false, "suspended": true} {
		b := &book{record: live()}
		b.record.AccountSuspended = suspended
		r := from("192.0.2.1:1")
		r.Header.Set("Authorization", "Bearer "+credential.New(credential.AccessToken))
		partners := Partners{Windows: &hours{}, Rate: limits.Rate{Count: 100, Per: time.Hour}}
		w := behindWith(t, byKind, r, newGate(t, b, &counters{}).LegacyToken(partners, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
		if got := w.Header().Get("X-RateLimit-Limit"); got != "100" {
			t.Errorf("%s: the limit is %q", name, got)
		}
	}
}

// (RFC 6750 §3.1)
func TestChallengeNamesMissingScope(t *testing.T) {
	for name, scopes := range map[string][]string{"without": {"jobs:read"}, "with": {"jobs:read", "jobs:write"}} {
		b := &book{record: live()}
		b.record.Principal = &identityv1.Principal{Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_1", AppId: "app_1", Scopes: scopes}
		r := from("192.0.2.1:1")
		r.Header.Set("Authorization", "Bearer "+credential.New(credential.APIKey))
		w := behind(t, r, newGate(t, b, &counters{}).APIKey("jobs:write", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
		refused := name == "without"
		if (w.Code == http.StatusForbidden) != refused || strings.Contains(w.Body.String(), answer.CodeAPIKeyScope) != refused {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if got := w.Header().Get("WWW-Authenticate"); strings.Contains(got, `error="insufficient_scope", scope="jobs:write"`) != refused {
			t.Errorf("%s: the challenge is %q", name, got)
		}
	}
}

// auth's message is for operators.
func TestGoneConnectionMessage(t *testing.T) {
	b := &book{err: errs.New(errs.NotFound, answer.CodeConnectionNotFound, "con_1 has ended")}
	r := from("192.0.2.1:1")
	r.Header.Set("Authorization", "Bearer "+credential.New(credential.AccessToken))
	w := behind(t, r, newGate(t, b, &counters{}).UserToken("cv:read", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "The connection behind this token is gone.") || strings.Contains(w.Body.String(), "con_1") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
