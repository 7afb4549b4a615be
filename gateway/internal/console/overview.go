package console

import (
	"net/http"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// overviewView is what a developer looks for first.
type overviewView struct {
	Account           string
	Verified          bool
	Apps              []appRow
	PerMinute, PerDay int32
}

// overview is the start page of an account.
func (c *Console) overview(w http.ResponseWriter, r *http.Request, v visit) error {
	account := v.account.GetAccountId()
	found, err := c.developers.GetAccount(r.Context(), &authv1.GetAccountRequest{Id: account})
	if err != nil {
		return err
	}
	apps, err := c.developers.ListApps(r.Context(), &authv1.ListAppsRequest{AccountId: account})
	if err != nil {
		return err
	}
	plan := found.GetAccount().GetPlan()
	body := overviewView{
		Account: v.account.GetAccountName(), Verified: v.account.GetVerified(), PerMinute: plan.GetPerMinute(), PerDay: plan.GetPerDay(),
	}
	for _, listed := range apps.GetApps() {
		a := listed.GetApp()
		body.Apps = append(body.Apps, appRow{ID: a.GetId(), Name: a.GetName(), State: stateName(listed.GetState()), Connections: listed.GetConnections()})
	}
	return c.draw(w, r, v, answerPage{name: "overview", title: "Overview", body: body})
}
