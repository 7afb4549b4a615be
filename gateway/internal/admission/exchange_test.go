package admission

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// noting returns an ErrorWriter that copies the request's Exchange to into.
func noting(into *chain.Exchange) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		*into = *chain.ExchangeOf(r.Context())
		byKind(w, r, err)
	}
}

func TestExchangeRecordsCallerAndCharge(t *testing.T) {
	owner := chain.Caller{AccountID: "dev_1", AppID: "app_1", ConnectionID: "con_1"}
	for name, c := range map[string]struct {
		change  func(*fakeVerifier)
		charged bool
	}{
		"admitted":  {func(b *fakeVerifier) { b.decision.Outcome = limits.Admitted }, true},
		"refused":   {func(b *fakeVerifier) { b.decision.Outcome, b.decision.Refusal = "refused", errOver }, false},
		"suspended": {func(b *fakeVerifier) { b.record.AccountSuspended = true }, false},
	} {
		b := &fakeVerifier{record: live()}
		c.change(b)
		r := from("192.0.2.1:1")
		r.Header.Set("Authorization", "Bearer "+credential.New(credential.AccessToken))
		var got chain.Exchange
		behindWith(t, noting(&got), r, newGate(t, b, &counters{}).UserToken("cv:read", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = *chain.ExchangeOf(r.Context())
		})))
		if got.Caller != owner || got.ChargedAt.IsZero() == c.charged || c.charged && !got.ChargedAt.Equal(time.UnixMicro(1_772_000_000_000_000)) {
			t.Errorf("%s: caller %+v, charged at %v", name, got.Caller, got.ChargedAt)
		}
	}
}

// (RFC 6750 §3.1)
func TestChallengeNamesMissingScope(t *testing.T) {
	for name, scopes := range map[string][]string{"without": {"jobs:read"}, "with": {"jobs:read", "jobs:write"}} {
		b := &fakeVerifier{record: live()}
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
