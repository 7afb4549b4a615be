package credentials_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/testkit"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestAuthIsNotAskedTwiceAboutACredentialThatHasEnded(t *testing.T) {
	ways(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		for range 3 {
			wantDead(t, s.verify(t)) // the scene's credential was issued, and does not live
		}
		s.wantCalls(t, 1)
	})
}

func TestOnlyALegacyTokenThatHasEndedIsAskedAboutAgain(t *testing.T) {
	for kind, want := range map[identityv1.CredentialKind]int32{
		accessToken: 1, identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY: 1,
		identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN: 3, identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK: 3,
	} {
		s := newScene(t, testkit.Redis(t), false)
		for range 3 {
			_, err := s.verifier.Verify(t.Context(), kind, hash, nil)
			wantDead(t, err)
		}
		s.wantCalls(t, want)
	}
}

func TestASenderMayBeKeptFromAskingAuthButNotAboutACredentialThatLived(t *testing.T) {
	s := newScene(t, testkit.Redis(t), true)
	refusal := errors.New("too many")
	mayAsk := func() error { return refusal }
	s.live(time.Hour)
	if _, err := s.verifier.Admit(t.Context(), accessToken, hash, mayAsk); !errors.Is(err, refusal) {
		t.Errorf("a credential that was never seen: %v", err)
	}
	s.wantCalls(t, 0)
	if err := s.verify(t); err != nil {
		t.Fatal(err)
	}
	if err := s.rdb.FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.verifier.Admit(t.Context(), accessToken, hash, mayAsk); err != nil {
		t.Errorf("a credential that was live before, without a record in Redis: %v", err)
	}
}
