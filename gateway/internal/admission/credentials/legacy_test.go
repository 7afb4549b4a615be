package credentials_test

import (
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

const legacyToken = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN

// legacyScene has a live token of the legacy interface, with a record in Redis.
func legacyScene(t *testing.T) *scene {
	t.Helper()
	s := newScene(t, testkit.Redis(t), false)
	s.live(time.Minute)
	s.record.Load().Principal.Kind = legacyToken
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestATokenPresentedAsAnotherKindSpendsNothing(t *testing.T) {
	s := legacyScene(t)
	for range 3 {
		if d, err := s.verifier.Admit(t.Context(), accessToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	s.record.Load().Principal.Kind = accessToken // the next request of the same account
	s.record.Load().Principal.ConnectionId = "con_2"
	other := hash
	other[0]++
	if d, err := s.verifier.Admit(t.Context(), accessToken, other, nil); err != nil || d.Budget.DaySpent != 1 {
		t.Errorf("%+v, %v: the refused ones were spent", d.Budget, err)
	}
}

func TestATokenOfTheLegacyInterfaceThatHasOnlyExpiredIsToldSo(t *testing.T) {
	s := legacyScene(t)
	s.now.Advance(time.Minute) // auth, whose clock is behind, still returns the record
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeExpired) {
		t.Errorf("%v", err)
	}
	if _, err := s.verifier.Verify(t.Context(), accessToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}
