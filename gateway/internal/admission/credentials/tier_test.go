package credentials_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// charge records a request that was counted against a tier.
type charge struct {
	tier    limits.Tier
	subject string
}

// subjects is a fake Limits that admits everything and records the charges.
type subjects []charge

func (s *subjects) Admit(_ context.Context, ask limits.Ask) (limits.Decision, error) {
	*s = append(*s, charge{ask.Tier, ask.Subject})
	return limits.Decision{Record: ask.Held}, nil
}

// Otherwise, an app could multiply its rate by creating keys (behaviour: limits#surface-tiers).
func TestTierIsPerAppOrConnection(t *testing.T) {
	const apiKey = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY
	s := newScene(t, testkit.Redis(t), true)
	var asked subjects
	forKeys := limits.Tier{Burst: limits.Rate{Count: 1, Per: time.Second}, Sustained: limits.Rate{Count: 2, Per: time.Minute}}
	forTokens := limits.Tier{Burst: limits.Rate{Count: 3, Per: time.Second}, Sustained: limits.Rate{Count: 4, Per: time.Minute}}
	v, err := credentials.New(credentials.Config{
		Auth: directAuth{s.fakeAuth}, Redis: s.rdb, Guard: newGuard(t, s.now), Limits: &asked, Clock: s.now,
		Records: newOpener(t, records.Config{Seal: seal(t, "a"), Clock: s.now, Log: slog.New(slog.DiscardHandler)}),
	}, limits.Tiers{APIKey: forKeys, UserToken: forTokens})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range []*identityv1.Principal{
		{Kind: apiKey, AccountId: "dev_1", AppId: "app_1", ApiKeyId: "key_1"},
		{Kind: apiKey, AccountId: "dev_1", AppId: "app_1", ApiKeyId: "key_2"},
		{Kind: apiKey, AccountId: "dev_1", AppId: "app_2", ApiKeyId: "key_3"},
		{Kind: accessToken, AccountId: "dev_1", AppId: "app_1", ConnectionId: "con_1"},
		{Kind: accessToken, AccountId: "dev_1", AppId: "app_1", ConnectionId: "con_2"},
	} {
		s.record.Store(&authv1.SessionRecord{Principal: p})
		if _, err := v.Admit(t.Context(), p.GetKind(), credential.Digest{byte(i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	want := subjects{{forKeys, "app_1"}, {forKeys, "app_1"}, {forKeys, "app_2"}, {forTokens, "con_1"}, {forTokens, "con_2"}}
	if !slices.Equal(asked, want) {
		t.Errorf("charged %v, want %v", asked, want)
	}
}
