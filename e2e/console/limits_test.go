package console_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// owned is a person at the console who owns an account with a key. The account's plan allows 20
// requests per day.
type owned struct {
	visitor
	s       *scene.Scene
	account string
	key     string
}

func newOwned(t *testing.T) owned {
	t.Helper()
	scene.KeepRedis(t)
	who, dev := world.Full(), world.OneDeveloper()
	dev.Members, dev.Plan = []world.Member{{Person: who.Ref, Role: "owner"}}, world.Plan(1000, 20)
	s := scene.Of(t, suite.System, world.World{People: []world.Person{who}, Developers: []world.Developer{dev}})
	made := s.Vitaectl(t, "key", "create", "--app", s.Created.Apps["web"].ID, "--scopes", "companies:read")
	return owned{enter(t, s, who.Ref), s, s.Created.Developers[dev.Ref].ID, made["key"].(string)}
}

// sendRequests sends n requests with the key and returns the status of the last response.
func (o owned) sendRequests(n int) (status int) {
	o.t.Helper()
	for range n {
		status = scene.Raw(o.t, http.MethodGet, o.s.Stack.BaseURLs[0]+"/v1/companies", "", "", "Authorization", "Bearer "+o.key).Status
	}
	return status
}

// region returns the text of the named region on a page.
func (o owned) region(path, name string) string {
	o.t.Helper()
	return expect.Must(o.open(path).Page.One("region", name))(o.t).Text()
}

func TestLimitsPageMatchesNextResponse(t *testing.T) {
	t.Parallel()
	expect.OneDay(t)
	o := newOwned(t)
	if got := o.region("/", "Your first request"); !strings.Contains(got, "Create an app (done)") || !strings.Contains(got, "Create an API key for it (done)") {
		t.Errorf("the steps of a new account: %s", got)
	}
	o.sendRequests(5)
	for range 3 { // opening the page uses no quota
		if got := o.region("/limits", "Today"); !strings.Contains(got, "15 of 20 left") {
			t.Fatalf("after 5 requests: %s", got)
		}
	}
	if got := o.region("/limits", "Plan"); !strings.Contains(got, "Custom") || !strings.Contains(got, "1,000 requests a minute") {
		t.Errorf("the plan: %s", got)
	}
	if got := o.region("/", "Today"); !strings.Contains(got, "5 of 20 counted against the quota") {
		t.Errorf("the overview: %s", got)
	}
	const nearLimit, atLimit = "80 % of today’s quota is used: 4 of 20 requests are left", "All 20 of today’s requests are used."
	o.sendRequests(10)
	if page := o.open("/apps").Page.Text(); strings.Contains(page, "quota is used") {
		t.Errorf("a warning below 80 %%: %s", page)
	}
	o.sendRequests(1)
	if page := o.open("/apps").Page.Text(); !strings.Contains(page, nearLimit) {
		t.Errorf("no warning at 80 %%: %s", page)
	}
	o.sendRequests(4)
	if page := o.open("/team").Page.Text(); !strings.Contains(page, atLimit) {
		t.Errorf("no warning when the quota is used up: %s", page)
	}
	if status := o.sendRequests(3); status != http.StatusTooManyRequests {
		t.Fatalf("a request above the quota: %d", status)
	}
	expect.Eventually(t, "the pages show the rejected requests", func(context.Context) error {
		today, overview := o.region("/limits", "Today"), o.region("/", "Errors in the last hour")
		if !strings.Contains(today, "Refused: 3 today") || !strings.Contains(overview, "429 QUOTA_EXCEEDED · 3") {
			return fmt.Errorf("%s; %s", today, overview)
		}
		return nil
	})
	if page := o.open("/").Page; page.Has("region", "Your first request") {
		t.Error("the page still shows the first steps after the first request")
	}
}

func TestRequestedPlanIsGranted(t *testing.T) {
	t.Parallel()
	expect.OneDay(t)
	o := newOwned(t)
	o.sendRequests(16)
	at := o.open("/limits")
	b := expect.Must(at.Page.One("button", "Ask for another plan"))(t)
	form := expect.Must(at.Page.FormOf(b))(t)
	form.Check(expect.Must(at.Page.One("radio", "Elevated"))(t), true)
	form.Fill(expect.Must(at.Page.One("textbox", "Reason"))(t), "We launch in March.")
	at = expect.Must(o.Press(t.Context(), form, b))(t)
	if page := at.Page.Text(); !strings.Contains(page, "You’ve asked for another plan") || !strings.Contains(page, "We launch in March.") || at.Page.Has("button", "Ask for another plan") {
		t.Fatalf("requesting a plan: status %d: %s", at.Status, page)
	}
	var id string
	for _, one := range listed(t, o.s, "plan-requests", "list") {
		if one["accountId"] == o.account {
			id = one["id"].(string)
		}
	}
	o.s.Exits(t, 0, "plan-requests", "grant", id, "--note", "Welcome.")
	page := o.open("/limits").Page
	if got := page.Text(); !strings.Contains(got, "granted") || !strings.Contains(got, "Welcome.") || strings.Contains(got, "quota is used") {
		t.Errorf("after the grant: %s", got)
	}
	if got := o.region("/limits", "Today"); !strings.Contains(got, "199,984 of 200,000 left") {
		t.Errorf("after the grant: %s", got)
	}
}
