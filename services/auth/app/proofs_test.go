package app_test

import (
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/session"
)

// Wherever a proof of presence is required, people without a password can use a passkey.
func TestPasskeyIsAcceptedForEveryProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	a := w.withPasskey(p.session)
	_, err := w.passkeys.RemovePassword(t.Context(), &authv1.RemovePasswordRequest{SessionToken: p.session})
	w.must(err)
	calls := map[string]func() error{
		"set a password": func() error {
			_, err := w.passwords.ChangePassword(t.Context(), &authv1.ChangePasswordRequest{
				SessionToken: p.session, NewPassword: another, Language: "en", ClientIp: "203.0.113.7",
			})
			return err
		},
		"have the account deleted": func() error {
			_, err := authv1.NewPersonDataServiceClient(w.gateway).RequestDeletion(t.Context(), &authv1.RequestDeletionRequest{
				SessionToken: p.session, Language: "en",
			})
			return err
		},
	}
	for name, call := range calls {
		w.clock.Advance(session.ProofLife)
		if err := call(); !errs.HasCode(err, "PROOF_NEEDED") {
			t.Fatalf("%s without a proof: %v", name, err)
		}
		_, err := w.passkeys.ProvePresence(t.Context(), &authv1.ProvePresenceRequest{
			SessionToken: p.session, ClientIp: "203.0.113.7", By: &authv1.ProvePresenceRequest_Credential{Credential: a.Get(w.begin(proving, p.session))},
		})
		w.must(err)
		if err := call(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	w.must(w.signIn(p.email, another, "203.0.113.9").err)
}

func TestOnlyOwnerRenamesPasskey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.person("layla@example.com"), w.person("omar@example.com")
	w.withPasskey(p.session)
	name := func() (id, name string) {
		listed, err := w.passkeys.ListPasskeys(t.Context(), &authv1.ListPasskeysRequest{SessionToken: p.session})
		w.must(err)
		return listed.GetPasskeys()[0].GetId(), listed.GetPasskeys()[0].GetName()
	}
	id, before := name()
	rename := func(session, id, name string) error {
		_, err := w.passkeys.RenamePasskey(t.Context(), &authv1.RenamePasskeyRequest{SessionToken: session, Id: id, Name: name})
		return err
	}
	wantCode(t, rename("nobody", id, "x"), "SESSION_ENDED")
	wantCode(t, rename(other.session, id, "x"), "PASSKEY_UNKNOWN")
	wantCode(t, rename(p.session, "pky_\x00", "x"), "PASSKEY_UNKNOWN")
	w.isRefused(rename(p.session, id, " "), "", "name")
	w.isRefused(rename(p.session, id, "two\nlines"), "", "name")
	if _, now := name(); now != before {
		t.Fatalf("renamed to %q", now)
	}
	w.clock.Advance(session.ProofLife) // renaming a passkey needs no recent proof
	w.must(rename(p.session, id, "مفتاح المكتب"))
	if _, now := name(); now != "مفتاح المكتب" {
		t.Errorf("the name is %q", now)
	}
	if all := outcomesOf(w.trail(p.session)); all[0] != "passkey.rename" {
		t.Errorf("the activity is %v", all)
	}
}
