package app_test

import (
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/session"
)

// behaviour: account-data#re-authentication
func TestAccountDeletionNeedsRecentProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, data := w.person("layla@example.com"), authv1.NewPersonDataServiceClient(w.gateway)
	ask := func(token string) string {
		_, err := data.RequestDeletion(t.Context(), &authv1.RequestDeletionRequest{SessionToken: token, Language: "en"})
		return codeOf(err)
	}
	w.clock.Advance(session.ProofLife)
	if code := ask("ended"); code != "SESSION_ENDED" {
		t.Errorf("without a session: %q", code)
	}
	if code := ask(p.session); code != "PROOF_NEEDED" {
		t.Errorf("without a proof: %q", code)
	}
	w.must(second(w.passkeys.ProvePresence(t.Context(), &authv1.ProvePresenceRequest{
		SessionToken: p.session, ClientIp: "203.0.113.7", By: &authv1.ProvePresenceRequest_Password{Password: plainWord},
	})))
	if code := ask(p.session); code != "" {
		t.Errorf("with a proof: %q", code)
	}
}

// behaviour: account-data#deleting-the-account
func TestAccountsWithoutOtherOwnerAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, data := w.person("layla@example.com"), authv1.NewPersonDataServiceClient(w.gateway)
	console := w.signInToConsole(p)
	ids := map[string]string{}
	for _, name := range []string{"Noor", "Acme", "Souq"} {
		made, err := w.createAccount(console, name)
		w.must(err)
		ids[name] = made.GetAccount().GetId()
	}
	other := w.person("omar@example.com")
	w.must(second(w.operators().AddMember(t.Context(), &authv1.AddMemberRequest{AccountId: ids["Souq"], PersonId: other.id, Role: asOwner})))

	if _, err := data.RequestDeletion(t.Context(), &authv1.RequestDeletionRequest{SessionToken: p.session, Language: "en"}); codeOf(err) != "ONLY_OWNER" {
		t.Errorf("the only owner left: %v", err)
	}
	owned, err := data.ListSolelyOwnedAccounts(t.Context(), &authv1.ListSolelyOwnedAccountsRequest{SessionToken: p.session})
	w.must(err)
	if got := owned.GetAccounts(); len(got) != 2 || got[0].GetName() != "Acme" || got[0].GetId() != ids["Acme"] || got[1].GetName() != "Noor" {
		t.Errorf("the accounts are %v", got)
	}
	if owned, err := data.ListSolelyOwnedAccounts(t.Context(), &authv1.ListSolelyOwnedAccountsRequest{SessionToken: other.session}); err != nil || len(owned.GetAccounts()) != 0 {
		t.Errorf("accounts with a second owner: %v, %v", owned.GetAccounts(), err)
	}
	if _, err := data.ListSolelyOwnedAccounts(t.Context(), &authv1.ListSolelyOwnedAccountsRequest{SessionToken: "ended"}); codeOf(err) != "SESSION_ENDED" {
		t.Errorf("without a session: %v", err)
	}
}

func TestDeletionTakesTurnsWithCandidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	_, err := authv1.NewPersonDataServiceClient(w.gateway).RequestDeletion(t.Context(), &authv1.RequestDeletionRequest{SessionToken: p.session, Language: "en"})
	w.must(err)
	w.clock.Advance(7 * day)
	candidate := authv1.NewPersonDataServiceClient(w.candidate)
	lease := func() []*authv1.Erasure {
		t.Helper()
		resp, err := candidate.LeaseErasures(t.Context(), &authv1.LeaseErasuresRequest{})
		w.must(err)
		return resp.GetErasures()
	}
	finish := func(e *authv1.Erasure) {
		t.Helper()
		for range 2 { // a repeated report changes nothing
			_, err := candidate.FinishErasure(t.Context(), &authv1.FinishErasureRequest{Erasure: e})
			w.must(err)
		}
	}
	leased := func() *authv1.Erasure {
		t.Helper()
		var due []*authv1.Erasure
		eventually(w, "a step of candidate", func() bool { due = lease(); return len(due) == 1 })
		if due[0].GetPersonId() != p.id || len(lease()) != 0 {
			t.Fatalf("leased are %v", due)
		}
		return due[0]
	}
	if due := lease(); len(due) != 0 {
		t.Errorf("candidate deletes before auth: %v", due)
	}
	w.replica() // a new replica runs its job immediately
	first := leased()
	finish(first)
	if due := lease(); len(due) != 0 {
		t.Errorf("again without a pause: %v", due)
	}
	w.clock.Advance(15 * time.Minute)
	second := leased()
	finish(first) // a late report
	finish(second)
	w.replica()
	eventually(w, "the end of the deletion", func() bool {
		var left int
		w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM person_deletions").Scan(&left))
		return left == 0
	})
}
