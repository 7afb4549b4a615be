package platform_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
)

// inUTC returns a member whose times can be compared with ==.
func inUTC(m team.Member) team.Member {
	m.CreatedAt = m.CreatedAt.UTC()
	return m
}

func TestMemberIsReadWithNameAndRole(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := authtest.ConsoleApp(w)
	ours, other := authtest.NewAccount(w, "Team").ID, authtest.NewAccount(w, "Other").ID
	names := map[string]string{}
	var people []string
	for range 4 {
		people = append(people, w.Person())
	}
	for i, p := range people[1:] { // the first person does not connect to the console
		names[p] = fmt.Sprintf("Name %d", i)
		w.Must(authtest.OpenConsole(w, names[p], w.Tokens(p, a, "profile").Access))
	}
	member := func(accountID, personID string, role team.Role) team.Member {
		return team.Member{
			AccountID: accountID, PersonID: personID, Name: names[personID], Email: personID + "@example.com", Role: role, CreatedAt: w.Clock.Now(),
		}
	}
	for i, p := range people {
		for account, role := range map[string]team.Role{ours: team.Viewer, other: team.Owner} {
			want := member(account, p, role)
			got, err := w.Stores.Teams.AddMember(t.Context(), team.Member{AccountID: account, PersonID: p, Role: role, CreatedAt: w.Clock.Now()})
			if err != nil || inUTC(got) != want {
				t.Errorf("added member %d is %+v, %v, want %+v", i, got, err, want)
			}
		}
	}
	for i, p := range people {
		got, err := w.Stores.Teams.ChangeMember(t.Context(), ours, p, func(present team.Role, _ int) (team.Role, error) {
			if present != team.Viewer {
				t.Errorf("member %d has the role %s before the change", i, present)
			}
			return team.Developer, nil
		})
		if want := member(ours, p, team.Developer); err != nil || inUTC(got) != want {
			t.Errorf("changed member %d is %+v, %v, want %+v", i, got, err, want)
		}
	}
	all, err := w.Stores.Teams.Members(t.Context(), ours)
	w.Must(err)
	want := slices.Sorted(slices.Values(people)) // sorted by email address, which starts with the person's id
	if len(all) != len(want) {
		t.Fatalf("%d members, want %d", len(all), len(want))
	}
	for i, got := range all {
		if want := member(ours, want[i], team.Developer); inUTC(got) != want {
			t.Errorf("member %d is %+v, want %+v", i, got, want)
		}
	}
}

func TestClosedAccountAcceptsNoMembers(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	authtest.NewAccount(w, "Bystander")
	closed := authtest.NewAccount(w, "Closed").ID
	closes(w, closed)
	p := w.Person()
	for name, accountID := range map[string]string{"closed": closed, "unknown": id.New("dev")} {
		_, err := w.Stores.Teams.AddMember(t.Context(), team.Member{AccountID: accountID, PersonID: p, Role: team.Owner, CreatedAt: w.Clock.Now()})
		if !errors.Is(err, account.ErrNotFound) {
			t.Errorf("added to the %s account: %v", name, err)
		}
		i := invitation.Invitation{ID: id.New("inv"), AccountID: accountID, Email: "new@partner.example", Role: team.Owner, CreatedAt: w.Clock.Now(), ExpiresAt: w.Clock.Now().Add(time.Hour)}
		if _, err := w.Stores.Teams.CreateInvitation(t.Context(), i, credential.Hash(i.ID), nil); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("invited to the %s account: %v", name, err)
		}
		_, err = w.Stores.Teams.ChangeMember(t.Context(), accountID, p, func(team.Role, int) (team.Role, error) { return team.Owner, nil })
		if !errors.Is(err, account.ErrNotFound) {
			t.Errorf("changed in the %s account: %v", name, err)
		}
		_, _, err = w.Apps.CreateApp(t.Context(), app.Creation{
			AccountID: accountID, Name: "App", ClientType: app.Confidential, RedirectURIs: []string{authtest.RedirectURI}, Scopes: authtest.Everything,
		})
		if !errors.Is(err, account.ErrNotFound) {
			t.Errorf("app created in the %s account: %v", name, err)
		}
		r := account.PlanRequest{ID: id.New("plr"), AccountID: accountID, Plan: account.Plan{Name: account.Elevated}, Reason: "r", CreatedAt: w.Clock.Now()}
		if err := w.Stores.Accounts.AddPlanRequest(t.Context(), r); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("plan requested for the %s account: %v", name, err)
		}
	}
	// Even an invitation whose row has not been deleted must not be accepted.
	_, err := w.Pool.Exec(t.Context(), `INSERT INTO invitations (id, account_id, email, email_key, role, hash, created_by, created_at, expires_at)
		SELECT 'inv_left', $1, 'e', 'e', 'owner', sha256('left'), 'usr_1', $2::timestamptz, $2 + interval '1 hour'`, closed, w.Clock.Now())
	w.Must(err)
	if offer, err := w.Stores.Teams.Invitation(t.Context(), credential.Hash("left"), w.Clock.Now()); !errors.Is(err, team.ErrInvitationNotFound) {
		t.Errorf("an invitation to a closed account: %+v, %v", offer, err)
	}
}

func TestOfferBelongsToItsAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	accounts := []string{authtest.NewAccount(w, "First").ID, authtest.NewAccount(w, "Second").ID, authtest.NewAccount(w, "Third").ID}
	_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), accounts[2], "", w.Clock.Now(), nil)
	w.Must(err)
	for i, name := range []string{"First", "Second", "Third"} {
		offered := authtest.Invites(w, accounts[i], "new@partner.example")
		got, err := w.Stores.Teams.Invitation(t.Context(), credential.Hash(offered.ID), w.Clock.Now())
		if err != nil || got.ID != offered.ID || got.AccountID != accounts[i] || got.AccountName != name || got.Suspended != (i == 2) {
			t.Errorf("offer of %s: %+v, %v", name, got, err)
		}
	}
}

func TestOnlyNonMembersAreInvited(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ours, other := authtest.NewAccount(w, "Team").ID, authtest.NewAccount(w, "Other").ID
	member, stranger := w.Person(), w.Person()
	authtest.Joins(w, ours, member, team.Owner)
	authtest.Joins(w, other, stranger, team.Owner)
	authtest.Invites(w, ours, stranger+"@example.com")
	i := invitation.Invitation{ID: id.New("inv"), AccountID: ours, Email: member + "@example.com", Role: team.Owner, CreatedAt: w.Clock.Now(), ExpiresAt: w.Clock.Now().Add(time.Hour)}
	if _, err := w.Stores.Teams.CreateInvitation(t.Context(), i, credential.Hash(i.ID), nil); !errors.Is(err, team.ErrAlreadyMember) {
		t.Errorf("a member is invited: %v", err)
	}
}

// The caller may have lost the owner role after the call was authorized.
func TestOnlyOwnersInvite(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ours, owner, removed := authtest.NewAccount(w, "Team").ID, w.Person(), w.Person()
	authtest.Joins(w, ours, owner, team.Owner)
	for by, want := range map[string]error{owner: nil, "internal/ops": nil, removed: team.ErrRole} {
		i := invitation.Invitation{ID: id.New("inv"), AccountID: ours, Email: "new@partner.example", Role: team.Viewer, CreatedBy: by, CreatedAt: w.Clock.Now(), ExpiresAt: w.Clock.Now().Add(time.Hour)}
		if _, err := w.Stores.Teams.CreateInvitation(t.Context(), i, credential.Hash(i.ID), nil); !errors.Is(err, want) {
			t.Errorf("invitation by %s: %v, want %v", by, err, want)
		}
	}
}

func TestOnlyOpenInvitationsCount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ours, other := authtest.NewAccount(w, "Team").ID, authtest.NewAccount(w, "Other").ID
	open := authtest.Invites(w, ours, "ended@partner.example")
	w.Clock.Advance(open.ExpiresAt.Sub(w.Clock.Now())) // at its expiry
	authtest.Invites(w, other, "theirs@partner.example")
	for n := range invitation.MostOpen {
		authtest.Invites(w, ours, fmt.Sprintf("p%d@partner.example", n))
	}
	i := invitation.Invitation{ID: id.New("inv"), AccountID: ours, Email: "more@partner.example", Role: team.Owner, CreatedAt: w.Clock.Now(), ExpiresAt: w.Clock.Now().Add(time.Hour)}
	if _, err := w.Stores.Teams.CreateInvitation(t.Context(), i, credential.Hash(i.ID), nil); !errors.Is(err, invitation.ErrTooMany) {
		t.Errorf("one invitation above the limit: %v", err)
	}
}

// Closing an account must delete its members, invitations and open plan requests. It must keep requests that have
// been decided, and everything that belongs to other accounts.
func TestClosedAccountHasNoOpenInvitations(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ends, stays := authtest.NewAccount(w, "Ends").ID, authtest.NewAccount(w, "Stays").ID
	p := w.Person()
	asked := map[string]string{}
	for _, a := range []string{ends, stays} {
		authtest.Joins(w, a, p, team.Owner)
		authtest.Invites(w, a, "new@partner.example")
		for _, decided := range []bool{true, false} {
			r := account.PlanRequest{ID: id.New("plr"), AccountID: a, Plan: account.Plan{Name: account.Elevated}, Reason: "r", CreatedAt: w.Clock.Now()}
			w.Must(w.Stores.Accounts.AddPlanRequest(t.Context(), r))
			if decided {
				_, err := w.Stores.Accounts.RefusePlanRequest(t.Context(), account.PlanDecision{RequestID: r.ID, Note: "no", By: "op", At: w.Clock.Now()})
				w.Must(err)
			} else {
				asked[a] = r.ID
			}
		}
	}
	closes(w, ends)
	for a, want := range map[string][4]int{ends: {0, 0, 0, 1}, stays: {1, 1, 1, 2}} {
		var members, invited, open, all int
		w.Must(w.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM members WHERE account_id = $1), (SELECT count(*) FROM invitations WHERE account_id = $1),
			(SELECT count(*) FROM plan_requests WHERE account_id = $1 AND state = 'open'), (SELECT count(*) FROM plan_requests WHERE account_id = $1)`, a).Scan(&members, &invited, &open, &all))
		if got := [4]int{members, invited, open, all}; got != want {
			t.Errorf("members, invitations, open requests and all requests: %v, want %v", got, want)
		}
	}
	// A decision on a request of a closed account must fail, even if the request is still open.
	_, err := w.Pool.Exec(t.Context(), "UPDATE plan_requests SET account_id = $2 WHERE id = $1", asked[stays], ends)
	w.Must(err)
	if _, err := w.Stores.Accounts.RefusePlanRequest(t.Context(), account.PlanDecision{RequestID: asked[stays], Note: "no", By: "op", At: w.Clock.Now()}); !errors.Is(err, account.ErrPlanRequestNotFound) {
		t.Errorf("a request of a closed account: %v", err)
	}
}
