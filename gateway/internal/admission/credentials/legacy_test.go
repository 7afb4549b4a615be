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

// legacyScene returns a scene with a live legacy token that has a record in Redis.
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

func TestTokenOfWrongKindIsNotCharged(t *testing.T) {
	s := legacyScene(t, time.Minute)
	for range 3 {
		if d, err := s.verifier.Admit(t.Context(), accessToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	s.record.Load().Principal.Kind = accessToken // for the account's next request
	s.record.Load().Principal.ConnectionId = "con_2"
	other := hash
	other[0]++
	if d, err := s.verifier.Admit(t.Context(), accessToken, other, nil); err != nil || d.Budget.DayUsed != 1 {
		t.Errorf("%+v, %v: rejected requests were charged", d.Budget, err)
	}
}

func TestExpiredLegacyTokenHasOwnCode(t *testing.T) {
	s := legacyScene(t, time.Minute)
	s.now.Advance(time.Minute) // the auth service still returns the record, because its clock is behind
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeExpired) {
		t.Errorf("%v", err)
	}
	if _, err := s.verifier.Verify(t.Context(), accessToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}

// A partner must handle revocation differently: it needs a new consent, not just a new token.
func TestRevokedLegacyTokenIsNotExpired(t *testing.T) {
	s := legacyScene(t, time.Second)
	s.now.Advance(time.Second) // the record is still in Redis
	s.record.Store(nil)        // the revocation
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}

func TestTokenOfWrongKindIsNotExpired(t *testing.T) {
	s := newScene(t, testkit.Redis(t), false)
	s.live(time.Minute) // an access token
	if _, err := s.verifier.Verify(t.Context(), legacyToken, hash, nil); !errs.HasCode(err, credentials.CodeUnknown) {
		t.Errorf("%v", err)
	}
}
