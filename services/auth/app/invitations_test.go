package app_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// invite creates an invitation on behalf of an owner of the account.
func (w *world) invite(session, accountID, email string, role optionsv1.Role) (*authv1.CreateInvitationResponse, error) {
	return w.members().CreateInvitation(w.by(session), &authv1.CreateInvitationRequest{AccountId: accountID, Email: email, Role: role})
}

func (w *world) accept(session, secret string) error {
	return second(w.members().AcceptInvitation(w.by(session), &authv1.AcceptInvitationRequest{Secret: secret}))
}

func (w *world) offered(session, secret string) (*authv1.GetInvitationResponse, error) {
	return w.members().GetInvitation(w.by(session), &authv1.GetInvitationRequest{Secret: secret})
}

// team creates an account with an owner.
func (w *world) team() (accountID, ownerSession string) {
	w.Helper()
	p := w.person(fmt.Sprintf("owner%d@example.com", w.clock.Now().UnixNano()))
	accountID = w.account()
	w.join(accountID, p, asOwner)
	return accountID, w.signInToConsole(p)
}

func TestInvitationMakesOneMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, owner := w.team()
	invited := w.person("Invited@Example.com")
	session := w.signInToConsole(invited)
	made, err := w.invite(owner, account, "invited@example.COM", asDeveloper)
	w.must(err)
	offer, err := w.offered(session, made.GetSecret())
	w.must(err)
	if offer.GetAccountName() != "Partner" || offer.GetInvitation().GetRole() != asDeveloper {
		t.Errorf("%v", offer)
	}
	w.must(w.accept(session, made.GetSecret()))
	members, err := w.members().ListMembers(w.by(session), &authv1.ListMembersRequest{AccountId: account})
	w.must(err)
	if n := len(members.GetMembers()); n != 2 || members.GetMembers()[1].GetRole() != asDeveloper || members.GetMembers()[1].GetName() != "Name of Invited@Example.com" {
		t.Errorf("%v", members)
	}
	for name, err := range map[string]error{"accepted": w.accept(session, made.GetSecret()), "read": second(w.offered(session, made.GetSecret()))} {
		if codeOf(err) != "INVITATION_NOT_FOUND" {
			t.Errorf("%s again: %v", name, err)
		}
	}
	if err := second(w.invite(owner, account, "invited@example.com", asViewer)); codeOf(err) != "ALREADY_MEMBER" {
		t.Errorf("a member is invited: %v", err)
	}
}

func TestInvitationIsPersonalAndExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, owner := w.team()
	other := w.signInToConsole(w.person("other@example.com"))
	unverified := w.unverified("invited@example.com")
	unverifiedSession := w.signInToConsole(unverified)
	made, err := w.invite(owner, account, "invited@example.com", asViewer)
	w.must(err)
	both := func(who, session, secret, want string) {
		t.Helper()
		for call, err := range map[string]error{"read": second(w.offered(session, secret)), "accept": w.accept(session, secret)} {
			if codeOf(err) != want {
				t.Errorf("%s, %s: %v, want %s", who, call, err, want)
			}
		}
	}
	both("another person", other, made.GetSecret(), "INVITATION_NOT_FOUND")
	both("an address that is not verified", unverifiedSession, made.GetSecret(), "EMAIL_NOT_VERIFIED")
	both("an invalid secret", other, "x", "INVITATION_NOT_FOUND")
	_, err = w.db.Exec(t.Context(), "UPDATE people SET email_verified = true WHERE id = $1", unverified.id)
	w.must(err)
	w.must(second(w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account})))
	both("a suspended account", unverifiedSession, made.GetSecret(), "DEVELOPER_ACCOUNT_SUSPENDED")
	w.must(second(w.developers.ResumeAccount(t.Context(), &authv1.ResumeAccountRequest{Id: account})))
	replaced, err := w.invite(owner, account, "Invited@example.com", asDeveloper)
	w.must(err)
	both("a replaced one", unverifiedSession, made.GetSecret(), "INVITATION_NOT_FOUND")
	if _, err := w.offered(unverifiedSession, replaced.GetSecret()); err != nil {
		t.Errorf("the invitation that replaced it: %v", err)
	}
	withdraw := func() error {
		return second(w.members().WithdrawInvitation(w.by(owner), &authv1.WithdrawInvitationRequest{Id: replaced.GetInvitation().GetId()}))
	}
	w.must(withdraw())
	both("a withdrawn one", unverifiedSession, replaced.GetSecret(), "INVITATION_NOT_FOUND")
	if err := withdraw(); codeOf(err) != "INVITATION_NOT_FOUND" {
		t.Errorf("withdrawn again: %v", err)
	}
	expired, err := w.invite(owner, account, "invited@example.com", asViewer)
	w.must(err)
	_, err = w.db.Exec(t.Context(), "UPDATE invitations SET expires_at = $1", w.clock.Now())
	w.must(err)
	both("an expired one", unverifiedSession, expired.GetSecret(), "INVITATION_NOT_FOUND")
	open, err := w.members().ListInvitations(w.by(owner), &authv1.ListInvitationsRequest{AccountId: account})
	w.must(err)
	if len(open.GetInvitations()) != 0 {
		t.Errorf("listed invitations: %v", open)
	}
	if life := expired.GetInvitation().GetExpiresAt().AsTime().Sub(w.clock.Now()); life != 7*24*time.Hour {
		t.Errorf("the invitation is valid for %v", life)
	}
}

// Owners who are removed or demoted must not be able to regain their role by accepting an invitation that they sent
// to another of their email addresses.
func TestInvitationsEndWithRoleOfInviter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, owner := w.team()
	leaver := w.person("leaver@example.com")
	w.join(account, leaver, asOwner)
	theirs := w.signInToConsole(leaver)
	var secrets []string
	for _, role := range []optionsv1.Role{asOwner, asDeveloper, asViewer} {
		made, err := w.invite(theirs, account, fmt.Sprintf("%s@example.com", role), role)
		w.must(err)
		secrets = append(secrets, made.GetSecret())
	}
	kept, err := w.invite(owner, account, "other@example.com", asOwner)
	w.must(err)
	open := func() (roles []optionsv1.Role) {
		resp, err := w.members().ListInvitations(w.by(owner), &authv1.ListInvitationsRequest{AccountId: account})
		w.must(err)
		for _, i := range resp.GetInvitations() {
			if i.GetId() != kept.GetInvitation().GetId() {
				roles = append(roles, i.GetRole())
			}
		}
		return roles
	}
	_, err = w.members().UpdateMember(w.by(owner), &authv1.UpdateMemberRequest{AccountId: account, PersonId: leaver.id, Role: asDeveloper})
	w.must(err)
	if got := open(); len(got) != 2 || got[0] == asOwner || got[1] == asOwner {
		t.Errorf("after demoting the inviter: %v", got)
	}
	_, err = w.members().RemoveMember(w.by(owner), &authv1.RemoveMemberRequest{AccountId: account, PersonId: leaver.id})
	w.must(err)
	if got := open(); len(got) != 0 {
		t.Errorf("after removing the inviter: %v", got)
	}
	again := w.signInToConsole(w.person(fmt.Sprintf("%s@example.com", asOwner)))
	wantCode(t, w.accept(again, secrets[0]), "INVITATION_NOT_FOUND")
	other := w.signInToConsole(w.person("other@example.com"))
	w.must(w.accept(other, kept.GetSecret()))
}

func TestInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, owner := w.team()
	session := w.signInToConsole(w.person("invited@example.com"))
	for range 5 {
		made, err := w.invite(owner, account, "invited@example.com", asViewer)
		w.must(err)
		var all sync.WaitGroup
		codes := make([]string, 4)
		for i := range codes {
			all.Go(func() { codes[i] = codeOf(w.accept(session, made.GetSecret())) })
		}
		all.Wait()
		accepted := 0
		for _, code := range codes {
			if code == "" {
				accepted++
			} else if code != "INVITATION_NOT_FOUND" {
				t.Errorf("%q", codes)
			}
		}
		if accepted != 1 {
			t.Errorf("%d accepted: %q", accepted, codes)
		}
		who, err := w.whoIs(session)
		w.must(err)
		w.must(second(w.members().RemoveMember(w.by(session), &authv1.RemoveMemberRequest{AccountId: account, PersonId: who.GetPersonId()})))
	}
}

// Both calls are authorized, but the second one fails because it would leave the account without an owner.
func TestOwnersRemovingEachOtherLeaveOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.person("a@example.com"), w.person("b@example.com")
	sessions := map[string]string{a.id: w.signInToConsole(a), b.id: w.signInToConsole(b)}
	for _, how := range []string{"remove", "demote", "leave"} {
		for range 8 {
			account := w.account()
			w.join(account, a, asOwner)
			w.join(account, b, asOwner)
			var all sync.WaitGroup
			for _, pair := range [][2]string{{a.id, b.id}, {b.id, a.id}} {
				all.Go(func() {
					by, other := w.by(sessions[pair[0]]), pair[1]
					if how == "leave" {
						other = pair[0]
					}
					if how == "demote" {
						_, _ = w.members().UpdateMember(by, &authv1.UpdateMemberRequest{AccountId: account, PersonId: other, Role: asViewer})
						return
					}
					_, _ = w.members().RemoveMember(by, &authv1.RemoveMemberRequest{AccountId: account, PersonId: other})
				})
			}
			all.Wait()
			left, err := w.operators().ListMembers(t.Context(), &authv1.ListMembersRequest{AccountId: account})
			w.must(err)
			if owners := left.GetMembers(); len(owners) == 0 || owners[0].GetRole() != asOwner || len(owners) == 2 && owners[1].GetRole() == asOwner {
				t.Fatalf("%s: %v", how, owners)
			}
		}
	}
}
