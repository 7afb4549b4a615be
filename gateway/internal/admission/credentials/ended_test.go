package credentials_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestDeadCredentialIsLookedUpOnce(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		for range 3 {
			wantDead(t, s.verify(t)) // the scene's credential was issued but is not live
		}
		s.wantCalls(t, 1)
	})
}

func TestOnlyDeadLinksAreLookedUpAgain(t *testing.T) {
	for kind, want := range map[identityv1.CredentialKind]int32{
		accessToken: 1, identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY: 1,
		legacyToken: 1, identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK: 3,
	} {
		s := newScene(t, testkit.Redis(t), false)
		for range 3 {
			_, err := s.verifier.Verify(t.Context(), kind, hash, nil)
			wantDead(t, err)
		}
		s.wantCalls(t, want)
	}
}

func TestExpiredLegacyTokenIsCachedFor5Seconds(t *testing.T) {
	s := newScene(t, testkit.Redis(t), false)
	verify := func() error {
		_, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil)
		return err
	}
	s.fault.Store(errs.New(errs.Unauthenticated, credentials.CodeExpired, "expired"))
	for range 3 {
		if err := verify(); !errs.HasCode(err, credentials.CodeExpired) {
			t.Fatal(err)
		}
	}
	s.wantCalls(t, 1)
	s.now.Advance(5*time.Second - time.Millisecond)
	if err := verify(); !errs.HasCode(err, credentials.CodeExpired) {
		t.Error(err)
	}
	s.wantCalls(t, 1)

	s.fault.Store(errs.New(errs.Unauthenticated, credentials.CodeUnknown, "revoked")) // the auth service must not be called again after this
	s.now.Advance(time.Millisecond)
	for range 3 {
		wantDead(t, verify())
		s.now.Advance(time.Hour)
	}
	s.wantCalls(t, 2)
}

func TestExpiredTokenIsCachedByKind(t *testing.T) {
	s := newScene(t, testkit.Redis(t), false)
	s.fault.Store(errs.New(errs.Unauthenticated, credentials.CodeExpired, "expired"))
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeExpired) {
		t.Fatal(err)
	}
	s.fault.Store(errs.New(errs.Unauthenticated, credentials.CodeUnknown, "of another kind"))
	_, err := s.verifier.Verify(t.Context(), accessToken, hash, nil)
	wantDead(t, err)
	s.wantCalls(t, 2)
}

func TestMayAskIsNotCalledForKnownCredentials(t *testing.T) {
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
		t.Errorf("a credential that was live earlier but has no record in Redis: %v", err)
	}
}
