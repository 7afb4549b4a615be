package console

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// planTitles are the plans by the values of the form.
var planTitles = []struct {
	name         authv1.PlanName
	value, title string
}{
	{authv1.PlanName_PLAN_NAME_STANDARD, "standard", "Standard"},
	{authv1.PlanName_PLAN_NAME_ELEVATED, "elevated", "Elevated"},
	{authv1.PlanName_PLAN_NAME_CUSTOM, "custom", "Custom"},
}

func planTitle(p *authv1.Plan) string {
	for _, one := range planTitles {
		if one.name == p.GetName() {
			return one.title
		}
	}
	return ""
}

// planForm is what the form for another plan holds.
type planForm struct{ Plan, PerMinute, PerDay, Reason string }

// planChoice is a plan to ask for.
type planChoice struct {
	Value, Title string
	// PerMinute and PerDay are its figures; zero if they are not known, or are to be given.
	PerMinute, PerDay int64
	Checked           bool
}

// choicesOfPlan are the plans that an account can ask for: the custom one always, because
// its figures may be others.
func choicesOfPlan(present *authv1.Plan, named []*authv1.Plan, form planForm) (all []planChoice) {
	for _, one := range planTitles {
		if one.name == present.GetName() && one.name != authv1.PlanName_PLAN_NAME_CUSTOM {
			continue
		}
		choice := planChoice{Value: one.value, Title: one.title, Checked: one.value == form.Plan}
		for _, plan := range named {
			if plan.GetName() == one.name {
				choice.PerMinute, choice.PerDay = int64(plan.GetPerMinute()), int64(plan.GetPerDay())
			}
		}
		all = append(all, choice)
	}
	return all
}

// planRequest is a request for another plan.
type planRequest struct {
	Plan, Reason, Note string
	PerMinute, PerDay  int64
	Granted            bool
	Created, Decided   time.Time
}

// planRequests gives the open request of an account and the one that was decided last, nil
// for none, and the named plans.
func (c *Console) planRequests(r *http.Request, accountID string) (open, last *planRequest, named []*authv1.Plan, err error) {
	found, err := c.developers.ListPlanRequests(r.Context(), &authv1.ListPlanRequestsRequest{AccountId: accountID, IncludeDecided: true})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, one := range found.GetPlanRequests() {
		p := &planRequest{
			Plan: planTitle(one.GetPlan()), Reason: one.GetReason(), Note: one.GetNote(),
			PerMinute: int64(one.GetPlan().GetPerMinute()), PerDay: int64(one.GetPlan().GetPerDay()),
			Granted: one.GetState() == authv1.PlanRequestState_PLAN_REQUEST_STATE_GRANTED,
			Created: one.GetCreatedAt().AsTime(), Decided: one.GetDecidedAt().AsTime(),
		}
		switch {
		case one.GetState() == authv1.PlanRequestState_PLAN_REQUEST_STATE_OPEN:
			open = p
		case last == nil || last.Decided.Before(p.Decided):
			last = p
		}
	}
	return open, last, found.GetPlans(), nil
}

// askPlan asks operators for another plan.
func (c *Console) askPlan(w http.ResponseWriter, r *http.Request, v visit) error {
	f := r.PostForm
	form := planForm{Plan: f.Get("plan"), PerMinute: f.Get("per-minute"), PerDay: f.Get("per-day"), Reason: f.Get("reason")}
	plan, faults := form.read()
	if faults == nil {
		_, err := c.developers.RequestPlan(r.Context(), &authv1.RequestPlanRequest{AccountId: v.account.GetAccountId(), Plan: plan, Reason: form.Reason})
		var refused bool
		if faults, refused = faultsOf(err, controls{"plan.per_minute": "per-minute", "plan.per_day": "per-day", "plan": "plan", "reason": "reason"}); !refused {
			faults, refused = refusal(err, "plan", "PLAN_REQUEST_OPEN", "PLAN_IN_FORCE")
		}
		if !refused {
			return c.backTo(w, limitsPath, "limits.asked", "", err)
		}
	}
	return c.drawLimits(w, r, v, http.StatusUnprocessableEntity, form, faults)
}

// read gives the plan of the form, and what is wrong with it. What else may be wrong auth
// says.
func (f planForm) read() (*authv1.Plan, []web.Fault) {
	plan := &authv1.Plan{}
	for _, one := range planTitles {
		if one.value == f.Plan {
			plan.Name = one.name
		}
	}
	if plan.GetName() == authv1.PlanName_PLAN_NAME_UNSPECIFIED {
		return nil, faultAt("plan", "Choose a plan.")
	}
	if plan.GetName() != authv1.PlanName_PLAN_NAME_CUSTOM {
		return plan, nil
	}
	var faults []web.Fault
	for _, field := range []struct {
		control, text string
		into          *int32
	}{{"per-minute", f.PerMinute, &plan.PerMinute}, {"per-day", f.PerDay, &plan.PerDay}} {
		n, err := strconv.ParseInt(strings.NewReplacer(",", "", " ", "").Replace(field.text), 10, 32)
		if err != nil || n < 1 {
			faults = append(faults, faultAt(field.control, "Enter a whole number of requests, at least 1.")...)
		}
		*field.into = int32(n)
	}
	return plan, faults
}
