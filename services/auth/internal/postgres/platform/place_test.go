package platform_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/team"
)

// The id in a request determines the account in which the person acts. It must lead to the account that owns the
// object, and to the person's role there, or else to an error.
func TestResourceLeadsToTheMembersAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	roles := []team.Role{team.Viewer, team.Owner, team.Developer}
	accounts, people := make([]string, len(roles)), make([]string, len(roles))
	things := make([]map[team.Thing]string, len(roles))
	for i, role := range roles {
		a := w.Confidential()
		accounts[i], people[i] = a.AccountID, w.Person()
		authtest.Joins(w, a.AccountID, people[i], role)
		key, _ := w.Key(a, "jobs:read")
		secrets, err := w.Stores.Apps.ClientSecrets(t.Context(), a.App.ID, w.Clock.Now())
		w.Must(err)
		things[i] = map[team.Thing]string{
			team.Account: a.AccountID, team.App: a.App.ID, team.APIKey: key, team.ClientSecret: secrets[0].ID,
			team.Invitation: authtest.Invites(w, a.AccountID, "new@partner.example").ID,
		}
	}
	check := func(name string, suspended, closed int) {
		t.Helper()
		for i, person := range people {
			for j, of := range things {
				for thing, id := range of {
					place, err := w.Stores.Teams.Place(t.Context(), person, thing, id)
					want := team.Place{AccountID: accounts[i], Role: roles[i], Suspended: i == suspended}
					if i != j || i == closed {
						if !errors.Is(err, team.ErrMemberNotFound) {
							t.Errorf("%s: %v of account %d leads person %d to %+v, %v", name, thing, j, i, place, err)
						}
					} else if err != nil || place != want {
						t.Errorf("%s: %v leads person %d to %+v, %v, want %+v", name, thing, i, place, err, want)
					}
				}
			}
		}
	}
	check("as they are", -1, -1)
	_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), accounts[1], "", w.Clock.Now(), nil)
	w.Must(err)
	check("one is suspended", 1, -1)
	_, err = w.Pool.Exec(t.Context(), "UPDATE accounts SET closed_at = $2 WHERE id = $1", accounts[2], w.Clock.Now())
	w.Must(err)
	check("another is closed", 1, 2)
}

func TestTeamIsListedByRoleAndAddress(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, other := w.Confidential().AccountID, w.Confidential().AccountID
	people := []string{w.Person(), w.Person(), w.Person(), w.Person()}
	roles := []team.Role{team.Viewer, team.Developer, team.Owner, team.Owner}
	for i, p := range people {
		authtest.Joins(w, account, p, roles[i])
		authtest.Joins(w, other, p, team.Owner)
	}
	members := func(account string) (ids []string, held []team.Role) {
		t.Helper()
		all, err := w.Stores.Teams.Members(t.Context(), account)
		w.Must(err)
		for _, m := range all {
			ids, held = append(ids, m.PersonID), append(held, m.Role)
		}
		return ids, held
	}
	first, second := people[2], people[3] // the owners are sorted by email address, which starts with the person's id
	if first > second {
		first, second = second, first
	}
	if ids, held := members(account); !slices.Equal(ids, []string{first, second, people[1], people[0]}) || !slices.Equal(held, []team.Role{team.Owner, team.Owner, team.Developer, team.Viewer}) {
		t.Errorf("members %v with the roles %v", ids, held)
	}
	change := func(personID string, to team.Role, owners int) {
		t.Helper()
		_, err := w.Stores.Teams.ChangeMember(t.Context(), account, personID, func(present team.Role, n int) (team.Role, error) {
			if n != owners {
				t.Errorf("the change was called with %d owners, want %d", n, owners)
			}
			return to, nil
		})
		w.Must(err)
	}
	change(first, team.Viewer, 2)
	change(people[1], "", 1)
	if ids, held := members(account); len(ids) != 3 || ids[0] != second || slices.Contains(ids, people[1]) || !slices.Equal(held, []team.Role{team.Owner, team.Viewer, team.Viewer}) {
		t.Errorf("after the changes: members %v with the roles %v", ids, held)
	}
	if ids, held := members(other); len(ids) != 4 || slices.ContainsFunc(held, func(r team.Role) bool { return r != team.Owner }) {
		t.Errorf("the other team has the members %v with the roles %v", ids, held)
	}
}

func TestInvitationIsListedUntilItExpires(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account, other := w.Confidential().AccountID, w.Confidential().AccountID
	ends := authtest.Invites(w, account, "ends@partner.example")
	w.Clock.Advance(time.Minute)
	one, two := authtest.Invites(w, account, "one@partner.example"), authtest.Invites(w, account, "two@partner.example")
	theirs := authtest.Invites(w, other, "one@partner.example")
	listed := func(account string, at time.Time) (ids []string) {
		t.Helper()
		all, err := w.Stores.Teams.Invitations(t.Context(), account, at)
		w.Must(err)
		for _, i := range all {
			ids = append(ids, i.ID)
		}
		return ids
	}
	newest := []string{max(one.ID, two.ID), min(one.ID, two.ID)} // invitations created at the same time are listed by descending id
	for at, lives := range map[time.Time]bool{ends.ExpiresAt.Add(-time.Microsecond): true, ends.ExpiresAt: false} {
		want := slices.Clone(newest)
		if lives {
			want = append(want, ends.ID)
		}
		if got := listed(account, at); !slices.Equal(got, want) {
			t.Errorf("invitations at %s: %v, want %v", at, got, want)
		}
		offer, err := w.Stores.Teams.Invitation(t.Context(), credential.Hash(ends.ID), at)
		if (err == nil) != lives || lives && (offer.ID != ends.ID || offer.AccountID != account) {
			t.Errorf("offer at %s: %+v, %v", at, offer, err)
		}
	}
	if err := w.Stores.Teams.WithdrawInvitation(t.Context(), ends.ID, ends.ExpiresAt); !errors.Is(err, team.ErrInvitationNotFound) {
		t.Errorf("an expired invitation was withdrawn: %v", err)
	}
	again := authtest.Invites(w, account, "One@partner.example") // this invitation replaces the previous one
	w.Must(w.Stores.Teams.WithdrawInvitation(t.Context(), two.ID, w.Clock.Now()))
	if got := listed(account, w.Clock.Now()); !slices.Equal(got, []string{again.ID, ends.ID}) {
		t.Errorf("invitations left: %v, want %s and %s", got, again.ID, ends.ID)
	}
	if got := listed(other, w.Clock.Now()); !slices.Equal(got, []string{theirs.ID}) {
		t.Errorf("the other account has %v", got)
	}
}
