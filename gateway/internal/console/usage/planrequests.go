package usage

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// planForm is the form that requests a different plan.
type planForm struct{ Plan, PerMinute, PerDay, Reason string }

// planChoice is a plan that can be requested.
type planChoice struct {
	Value, Title string
	// PerMinute and PerDay are 0 for a custom plan.
	PerMinute, PerDay int64
	Checked           bool
}

// choicesOfPlan returns the plans that an account can request. An account with a custom plan can
// also request a custom plan again, with different limits.
func choicesOfPlan(present *authv1.Plan, named []*authv1.Plan, form planForm) (all []planChoice) {
	for _, one := range shell.PlanTitles {
		if one.Plan == present.GetName() && one.Plan != authv1.PlanName_PLAN_NAME_CUSTOM {
			continue
		}
		choice := planChoice{Value: one.Value, Title: one.Title, Checked: one.Value == form.Plan}
		for _, plan := range named {
			if plan.GetName() == one.Plan {
				choice.PerMinute, choice.PerDay = int64(plan.GetPerMinute()), int64(plan.GetPerDay())
			}
		}
		all = append(all, choice)
	}
	return all
}

// planRequest is a request for a different plan.
type planRequest struct {
	Plan, Reason, Note string
	PerMinute, PerDay  int64
	Granted            bool
	Created, Decided   time.Time
}

// planRequests returns the pending request, the request that was decided most recently, and the
// named plans. Each of the requests is nil if there is none.
func (h handlers) planRequests(r *http.Request, accountID string) (open, last *planRequest, named []*authv1.Plan, err error) {
	found, err := h.developers.ListPlanRequests(r.Context(), &authv1.ListPlanRequestsRequest{AccountId: accountID, IncludeDecided: true})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, one := range found.GetPlanRequests() {
		p := &planRequest{
			Plan: shell.PlanTitle(one.GetPlan()), Reason: one.GetReason(), Note: one.GetNote(),
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

// requestPlan sends a request for a different plan to the operators.
func (h handlers) requestPlan(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	f := r.PostForm
	form := planForm{Plan: f.Get("plan"), PerMinute: f.Get("per-minute"), PerDay: f.Get("per-day"), Reason: f.Get("reason")}
	plan, faults := form.read()
	if faults == nil {
		_, err := h.developers.RequestPlan(r.Context(), &authv1.RequestPlanRequest{AccountId: v.AccountID(), Plan: plan, Reason: form.Reason})
		var refused bool
		if faults, refused = shell.FaultsOf(err, shell.Controls{"plan.per_minute": "per-minute", "plan.per_day": "per-day", "plan": "plan", "reason": "reason"}); !refused {
			faults, refused = shell.Refusal(err, "plan", "PLAN_REQUEST_OPEN", "PLAN_IN_FORCE")
		}
		if !refused {
			return h.Back(w, shell.LimitsPath, "limits.asked", err)
		}
	}
	return h.drawLimits(w, r, v, form, faults)
}

// read returns the plan selected in the form, and the validation errors that the auth service
// cannot detect.
func (f planForm) read() (*authv1.Plan, []web.Fault) {
	plan := &authv1.Plan{}
	for _, one := range shell.PlanTitles {
		if one.Value == f.Plan {
			plan.Name = one.Plan
		}
	}
	if plan.GetName() == authv1.PlanName_PLAN_NAME_UNSPECIFIED {
		return nil, shell.FaultAt("plan", "Choose a plan.")
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
			faults = append(faults, shell.FaultAt(field.control, "Enter a whole number of requests, at least 1.")...)
		}
		*field.into = int32(n)
	}
	return plan, faults
}
