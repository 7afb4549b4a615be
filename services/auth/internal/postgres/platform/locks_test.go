package platform_test

import (
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
)

// Each operation depends on what it reads: the team's owners, the open invitations, or whether the account is open.
// A concurrent change to the account would invalidate that, so each operation must wait for it.
func TestDependentsWaitForAnAccountChange(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := authtest.NewAccount(w, "Partner").ID
	owner, newcomer, invited := w.Person(), w.Person(), w.Person()
	authtest.Joins(w, a, owner, team.Owner)
	offer := authtest.Invites(w, a, "new@partner.example")
	asked := account.PlanRequest{ID: id.New("plr"), AccountID: a, Plan: account.Plan{Name: account.Elevated}, Reason: "r", CreatedAt: w.Clock.Now()}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"a new member", func() error {
			_, err := w.Stores.Teams.AddMember(t.Context(), team.Member{AccountID: a, PersonID: newcomer, Role: team.Viewer, CreatedAt: w.Clock.Now()})
			return err
		}},
		{"another role", func() error {
			_, err := w.Stores.Teams.ChangeMember(t.Context(), a, owner, func(team.Role, int) (team.Role, error) { return team.Viewer, nil })
			return err
		}},
		{"an invitation", func() error {
			i := invitation.Invitation{ID: id.New("inv"), AccountID: a, Email: "second@partner.example", Role: team.Viewer, CreatedAt: w.Clock.Now(), ExpiresAt: offer.ExpiresAt}
			_, err := w.Stores.Teams.CreateInvitation(t.Context(), i, credential.Hash(i.ID), nil)
			return err
		}},
		{"an invitation that is accepted", func() error {
			_, err := w.Stores.Teams.AcceptInvitation(t.Context(), credential.Hash(offer.ID), invited, w.Clock.Now(), func(invitation.Offer) error { return nil }, nil)
			return err
		}},
		{"a new app", func() error {
			_, _, err := w.Apps.CreateApp(t.Context(), app.Creation{
				AccountID: a, Name: "App", ClientType: app.Confidential, RedirectURIs: []string{authtest.RedirectURI}, Scopes: authtest.Everything,
			})
			return err
		}},
		{"a request for another plan", func() error { return w.Stores.Accounts.AddPlanRequest(t.Context(), asked) }},
		{"a decision about it", func() error {
			_, err := w.Stores.Accounts.RefusePlanRequest(t.Context(), account.PlanDecision{RequestID: asked.ID, Note: "no", By: "op", At: w.Clock.Now()})
			return err
		}},
	} {
		authtest.WaitsFor(w, c.name, "SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", a, c.do)
	}
}

// If the same person creates accounts concurrently, the creations must wait for each other, so that each one counts
// the earlier ones.
func TestPersonsAccountCreationsAreSerialized(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p := person.Person{ID: id.New("usr"), EmailVerified: true, CreatedAt: w.Clock.Now()}
	w.Must(w.Stores.People.CreatePerson(t.Context(), p, p.ID, "no password"))
	authtest.WaitsFor(w, "an account", "SELECT 1 FROM people WHERE id = $1 FOR NO KEY UPDATE", p.ID, func() error {
		return w.Stores.Accounts.CreateAccount(t.Context(), account.Account{
			ID: id.New("dev"), Name: "Mine", Email: "dev@partner.example", CreatedAt: w.Clock.Now(), Plan: account.Plan{Name: account.Standard},
		}, p.ID)
	})
}
