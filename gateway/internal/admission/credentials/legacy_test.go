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
func legacyScene(t *testing.T, life time.Duration) *scene {
	t.Helper()
	s := newScene(t, testkit.Redis(t), false)
	s.live(life)
	s.record.Load().Principal.Kind = legacyToken
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTokenOfAnotherKindIsNotCharged(t *testing.T) {
	s := legacyScene(t, time.Minute)
	for range 3 {
		if d, err := s.verifier.Admit(t.Context(), accessToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	s.record.Load().Principal.Kind = accessToken // the next request of the same account
	s.record.Load().Principal.ConnectionId = "con_2"
	other := hash
	other[0]++
	if d, err := s.verifier.Admit(t.Context(), accessToken, other, nil); err != nil || d.Budget.DayUsed != 1 {
		t.Errorf("%+v, %v: the refused ones were spent", d.Budget, err)
	}
}

func TestExpiredLegacyTokenHasItsOwnCode(t *testing.T) {
	s := legacyScene(t, time.Minute)
	s.now.Advance(time.Minute) // auth, whose clock is behind, still returns the record
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeExpired) {
		t.Errorf("%v", err)
	}
	if _, err := s.verifier.Verify(t.Context(), accessToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}

// A partner reacts differently: it needs a new consent, not only a new token.
func TestRevokedLegacyTokenIsNotCalledExpired(t *testing.T) {
	s := legacyScene(t, time.Second)
	s.now.Advance(time.Second) // its record is still valid in Redis
	s.record.Store(nil)        // the revoke
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}

func TestOtherKindIsNotCalledExpired(t *testing.T) {
	s := newScene(t, testkit.Redis(t), false)
	s.live(time.Minute) // an access token
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}
