package platform_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/team"
)

func closes(w *authtest.World, accountID string) {
	w.Helper()
	_, err := w.Stores.Accounts.CloseAccount(w.Context(), accountID, w.Clock.Now(), func(account.Account) error { return nil })
	w.Must(err)
}

// accountRow returns all columns of an account's row, joined into a string.
func accountRow(w *authtest.World, accountID string) (row string) {
	w.Helper()
	w.Must(w.Pool.QueryRow(w.Context(), "SELECT to_jsonb(a)::text FROM accounts a WHERE id = $1", accountID).Scan(&row))
	return row
}

// Only open accounts that the person has created count toward the limit (behaviour: console#creating-an-account).
// Accounts created by someone else or by an operator do not.
func TestOnlyOwnOpenAccountsCount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	creator := func() string {
		p := person.Person{ID: id.New("usr"), EmailVerified: true, CreatedAt: w.Clock.Now()}
		w.Must(w.Stores.People.CreatePerson(t.Context(), p, p.ID, "no password"))
		return p.ID
	}
	create := func(owner string) error {
		return w.Stores.Accounts.CreateAccount(t.Context(), account.Account{
			ID: id.New("dev"), Name: "Mine", Email: "dev@partner.example", CreatedAt: w.Clock.Now(), Plan: account.Plan{Name: account.Standard},
		}, owner)
	}
	for range account.MostCreated {
		authtest.NewAccount(w, "Of operators")
	}
	for _, one := range []string{creator(), creator()} {
		for n := range account.MostCreated {
			if err := create(one); err != nil {
				t.Errorf("account %d: %v", n+1, err)
			}
		}
		if err := create(one); !errors.Is(err, account.ErrTooManyAccounts) {
			t.Errorf("one account above the limit: %v", err)
		}
	}
}

func TestAccountChangeNeedsAnOpenAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	changes := map[string]func(accountID string) error{
		"update": func(accountID string) error {
			_, err := w.Stores.Accounts.UpdateAccount(t.Context(), accountID, func(a account.Account) (account.Account, error) {
				if a.ID != accountID {
					t.Errorf("the change was called for %s", a.ID)
				}
				a.Name, a.Email = "Changed", "changed@partner.example"
				return a, nil
			})
			return err
		},
		"verify": func(accountID string) error {
			_, err := w.Stores.Accounts.VerifyAccount(t.Context(), accountID, w.Clock.Now())
			return err
		},
		"unverify": func(accountID string) error {
			_, err := w.Stores.Accounts.UnverifyAccount(t.Context(), accountID)
			return err
		},
		"suspend": func(accountID string) error {
			_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), accountID, "", w.Clock.Now(), nil)
			return err
		},
		"resume": func(accountID string) error {
			_, _, err := w.Stores.Accounts.ResumeAccount(t.Context(), accountID, w.Clock.Now(), nil)
			return err
		},
		"plan": func(accountID string) error {
			_, _, err := w.Stores.Accounts.SetPlan(t.Context(), accountID, account.Plan{Name: account.Elevated}, w.Clock.Now())
			return err
		},
	}
	prepared := func() string {
		a := authtest.NewAccount(w, "Partner")
		_, err := w.Stores.Accounts.VerifyAccount(t.Context(), a.ID, w.Clock.Now())
		w.Must(err)
		_, _, err = w.Stores.Accounts.SuspendAccount(t.Context(), a.ID, "", w.Clock.Now(), nil)
		w.Must(err)
		return a.ID
	}
	for name, change := range changes {
		bystander, closed := prepared(), prepared()
		closes(w, closed)
		changed := prepared()
		switch name { // these operations would have no visible effect on the account
		case "verify":
			bystander = authtest.NewAccount(w, "Partner").ID
		case "suspend":
			bystander = authtest.NewAccount(w, "Partner").ID
		}
		before, after := accountRow(w, bystander), accountRow(w, closed)
		w.Must(change(changed))
		if got := accountRow(w, bystander); got != before {
			t.Errorf("%s: a different account changed from %s to %s", name, before, got)
		}
		if err := change(closed); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("%s of a closed account: %v", name, err)
		}
		if got := accountRow(w, closed); got != after {
			t.Errorf("%s: the closed account changed from %s to %s", name, after, got)
		}
	}
}

func TestAccountsAreListedByNameAndID(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	var want []string
	for _, name := range []string{"alpha", "Beta", "gamma"} {
		same := []string{authtest.NewAccount(w, name).ID, authtest.NewAccount(w, strings.ToUpper(name)).ID}
		slices.Sort(same)
		want = append(want, same...)
	}
	for _, size := range []int{1, 2, 5, 6} {
		var got []string
		after := account.Position{}
		for range len(want)/size + 1 { // a listing that doesn't end would return too many accounts
			page, err := w.Stores.Accounts.Accounts(t.Context(), account.Query{After: after, AtMost: size})
			w.Must(err)
			for _, a := range page {
				got, after = append(got, a.ID), a.Position
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: %v, want %v", size, got, want)
		}
	}
}

func TestMembershipsIncludeOnlyOpenAccounts(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	var same []string
	for range 3 {
		same = append(same, authtest.NewAccount(w, "beta").ID)
	}
	first, closed := authtest.NewAccount(w, "Alpha").ID, authtest.NewAccount(w, "Closed").ID
	for _, of := range append(slices.Clone(same), first, closed) {
		authtest.Joins(w, of, p, team.Developer)
		authtest.Joins(w, of, other, team.Owner)
	}
	authtest.Joins(w, authtest.NewAccount(w, "Theirs").ID, other, team.Owner)
	closes(w, closed)
	joinedAgain(w, closed, p) // adds the member again, as if the row had not been deleted
	slices.Sort(same)
	want := append([]string{first}, same...)
	all, err := w.Stores.Teams.Memberships(t.Context(), p)
	w.Must(err)
	var got []string
	for _, m := range all {
		got = append(got, m.Account.ID)
		if m.Role != team.Developer {
			t.Errorf("in %s the person is %s", m.Account.Name, m.Role)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("member of %v, want %v", got, want)
	}
}

// joinedAgain adds a member without checking the account's state.
func joinedAgain(w *authtest.World, accountID, personID string) {
	w.Helper()
	_, err := w.Pool.Exec(w.Context(), "INSERT INTO members (account_id, person_id, role, created_at) VALUES ($1, $2, 'developer', $3)", accountID, personID, w.Clock.Now())
	w.Must(err)
}

func TestPeopleAreFoundByAddressPrefix(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	var want []string
	for n, key := range []string{"a@example.com", "zn@example.com", "zo@example.com", "zoe@example.com", "zo\u00e9@example.com", "zp@example.com"} {
		p := person.Person{ID: id.New("usr"), Email: key, CreatedAt: w.Clock.Now()}
		w.Must(w.Stores.People.CreatePerson(t.Context(), p, key, "no password"))
		if n >= 2 && n <= 4 {
			want = append(want, p.ID)
		}
	}
	for _, most := range []int{1, 2, 10} {
		found, err := w.Stores.People.PeopleByEmail(t.Context(), "zo", most)
		w.Must(err)
		var got []string
		for _, p := range found {
			got = append(got, p.ID)
		}
		if !slices.Equal(got, want[:min(most, len(want))]) {
			t.Errorf("at most %d: %v, want the first of %v", most, got, want)
		}
	}
}

func TestNewPasswordChangesOnePerson(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	one, other := w.Person(), w.Person() // both people have the same password hash
	w.Must(w.Stores.People.ReplacePasswordHash(t.Context(), one, "no password", "another"))
	for who, want := range map[string]string{one: "another", other: "no password"} {
		if _, hash, err := w.Stores.People.PersonByEmail(t.Context(), who+"@example.com"); err != nil || hash != want {
			t.Errorf("%s has %q, want %q, %v", who, hash, want, err)
		}
	}
}

func TestPlanRequestsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ask := func(accountID string) string {
		t.Helper()
		r := account.PlanRequest{ID: id.New("plr"), AccountID: accountID, Plan: account.Plan{Name: account.Elevated}, Reason: "r", CreatedAt: w.Clock.Now(), CreatedBy: "usr_1"}
		w.Must(w.Stores.Accounts.AddPlanRequest(t.Context(), r))
		return r.ID
	}
	refuse := func(requestID string) {
		t.Helper()
		_, err := w.Stores.Accounts.RefusePlanRequest(t.Context(), account.PlanDecision{RequestID: requestID, Note: "no", By: "op", At: w.Clock.Now()})
		w.Must(err)
	}
	listed := func(accountID string, decidedToo bool, want ...string) {
		t.Helper()
		for most := 1; most <= len(want)+1; most++ {
			all, err := w.Stores.Accounts.PlanRequests(t.Context(), accountID, decidedToo, int32(most))
			w.Must(err)
			var got []string
			for _, r := range all {
				got = append(got, r.ID)
				if name := "Of " + r.AccountID; r.AccountName != name {
					t.Errorf("the request of %s has the account name %q", r.AccountID, r.AccountName)
				}
			}
			if !slices.Equal(got, want[:min(most, len(want))]) {
				t.Errorf("account %q, decided too %t, at most %d: %v, want %v", accountID, decidedToo, most, got, want)
			}
		}
	}
	named := func() string {
		a := account.Account{ID: id.New("dev"), CreatedAt: w.Clock.Now(), Plan: account.Plan{Name: account.Standard}}
		a.Name = "Of " + a.ID
		w.Must(w.Stores.Accounts.CreateAccount(t.Context(), a, ""))
		return a.ID
	}
	one, other, third := named(), named(), named()
	before := ask(one)
	refuse(before)
	w.Clock.Advance(time.Microsecond)
	var ones []string // accounts created at the same time are listed by descending id
	for range 3 {
		ones = append(ones, ask(one))
		refuse(ones[len(ones)-1])
	}
	ones = append(ones, ask(one))
	last := ones[3]
	slices.Sort(ones)
	slices.Reverse(ones)
	ones = append(ones, before)
	w.Clock.Advance(time.Microsecond)
	newer := []string{ask(other), ask(third)}
	slices.Sort(newer)
	slices.Reverse(newer)
	listed(one, true, ones...)
	listed(one, false, last)
	listed("", true, append(slices.Clone(newer), ones...)...)
	listed("", false, append(slices.Clone(newer), last)...)

	// A decision must apply only to the open request that has the given id.
	refuse(last)
	listed("", false, newer...)
	for name, c := range map[string]struct {
		id   string
		want error
	}{"a decided one": {last, account.ErrPlanRequestDecided}, "an unknown one": {id.New("plr"), account.ErrPlanRequestNotFound}} {
		if _, err := w.Stores.Accounts.RefusePlanRequest(t.Context(), account.PlanDecision{RequestID: c.id, At: w.Clock.Now()}); !errors.Is(err, c.want) {
			t.Errorf("%s is rejected with %v", name, err)
		}
	}
	granted, _, err := w.Stores.Accounts.GrantPlanRequest(t.Context(), account.PlanDecision{RequestID: newer[1], By: "op", At: w.Clock.Now()})
	if err != nil || granted.ID != newer[1] || granted.AccountName != fmt.Sprint("Of ", granted.AccountID) {
		t.Errorf("the granted request is %+v, %v", granted, err)
	}
	listed("", false, newer[0])
	closes(w, map[string]string{other: third, third: other}[granted.AccountID])
	listed("", false)
	listed(one, true, ones...)
}
