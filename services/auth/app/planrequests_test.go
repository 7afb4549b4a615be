package app_test

import (
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var elevated = &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED}

func (w *world) askFor(accountID string, plan *authv1.Plan) (*authv1.PlanRequest, error) {
	resp, err := w.developers.RequestPlan(w.Context(), &authv1.RequestPlanRequest{AccountId: accountID, Plan: plan, Reason: "We go live."})
	return resp.GetPlanRequest(), err
}

func (w *world) planRequests(accountID string, decidedToo bool) []*authv1.PlanRequest {
	w.Helper()
	resp, err := w.developers.ListPlanRequests(w.Context(), &authv1.ListPlanRequestsRequest{AccountId: accountID, IncludeDecided: decidedToo})
	w.must(err)
	if plans := resp.GetPlans(); len(plans) != 2 || plans[0].GetName() != authv1.PlanName_PLAN_NAME_STANDARD || plans[1].GetPerDay() != 200_000 {
		w.Errorf("the named plans are %v", plans)
	}
	return resp.GetPlanRequests()
}

func TestGrantedRequestSetsPlanEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	account, key := c.app.GetAccountId(), w.key(c, nil).GetSecret()
	if got := w.record(apiKey, account, key).GetPlan().GetPerMinute(); got != 300 {
		t.Fatalf("%d requests per minute at first", got)
	}
	asked, err := w.askFor(account, &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 7, PerDay: 70})
	w.must(err)
	if got := w.record(apiKey, account, key).GetPlan().GetPerMinute(); got != 300 {
		t.Errorf("%d requests per minute before the decision", got)
	}
	w.clock.Advance(day)
	granted, err := w.developers.GrantPlanRequest(t.Context(), &authv1.GrantPlanRequestRequest{Id: asked.GetId(), Note: "Welcome."})
	w.must(err)
	r := granted.GetPlanRequest()
	if r.GetState() != authv1.PlanRequestState_PLAN_REQUEST_STATE_GRANTED || r.GetDecidedBy() != "vitaectl" || r.GetNote() != "Welcome." ||
		!r.GetDecidedAt().AsTime().Equal(w.clock.Now()) || r.GetAccountName() != "Partner" || r.GetCreatedBy() != "vitaectl" {
		t.Errorf("the granted request is %v", r)
	}
	for _, at := range []*world{w, w.replica()} {
		if got := at.record(apiKey, account, key).GetPlan(); got.GetPerMinute() != 7 || got.GetPerDay() != 70 {
			t.Errorf("a gateway uses the plan %v", got)
		}
	}
	for name, decide := range map[string]func(string) error{
		"grant": func(id string) error {
			_, err := w.developers.GrantPlanRequest(t.Context(), &authv1.GrantPlanRequestRequest{Id: id})
			return err
		},
		"refuse": func(id string) error {
			_, err := w.developers.RefusePlanRequest(t.Context(), &authv1.RefusePlanRequestRequest{Id: id, Note: "no"})
			return err
		},
	} {
		if err := decide(asked.GetId()); !errs.HasCode(err, "PLAN_REQUEST_DECIDED") {
			t.Errorf("repeated %s: %v", name, err)
		}
		for _, unknown := range []string{id.New("plr"), "plr\x00"} {
			if err := decide(unknown); !errs.HasCode(err, "PLAN_REQUEST_NOT_FOUND") {
				t.Errorf("%s of an unknown request: %v", name, err)
			}
		}
	}
}

func TestRejectedPlanRequestChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account, other := w.account(), w.account()
	first, err := w.askFor(account, elevated)
	w.must(err)
	_, err = w.askFor(other, elevated)
	w.must(err)
	refused, err := w.developers.RefusePlanRequest(t.Context(), &authv1.RefusePlanRequestRequest{Id: first.GetId(), Note: "Go live first."})
	w.must(err)
	if r := refused.GetPlanRequest(); r.GetState() != authv1.PlanRequestState_PLAN_REQUEST_STATE_REFUSED || r.GetNote() != "Go live first." {
		t.Errorf("the rejected request is %v", r)
	}
	read, err := w.developers.GetAccount(t.Context(), &authv1.GetAccountRequest{Id: account})
	w.must(err)
	if read.GetAccount().GetPlan().GetName() != authv1.PlanName_PLAN_NAME_STANDARD {
		t.Errorf("the account has %v", read.GetAccount().GetPlan())
	}
	w.clock.Advance(day)
	second, err := w.askFor(account, elevated)
	w.must(err)
	if got := w.planRequests(account, true); len(got) != 2 || got[0].GetId() != second.GetId() || got[1].GetId() != first.GetId() {
		t.Errorf("requests of the account: %v", got)
	}
	if got := w.planRequests(account, false); len(got) != 1 || got[0].GetPlan().GetPerMinute() != 1000 {
		t.Errorf("open requests of the account: %v", got)
	}
	if got := w.planRequests("", false); len(got) != 2 || got[0].GetId() != second.GetId() {
		t.Errorf("all open requests: %v", got)
	}
	if got := w.planRequests("", true); len(got) != 3 {
		t.Errorf("all requests: %v", got)
	}
}

func TestInvalidPlanRequestIsRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	_, err := w.askFor(account, &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_STANDARD})
	wantCode(t, err, "PLAN_IN_FORCE")
	_, err = w.askFor(account, &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 1})
	wantCode(t, err, "INVALID_ARGUMENT")
	_, err = w.askFor(id.New("dev"), elevated)
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
	for _, reason := range []string{"", " \n", strings.Repeat("x", 2001), "\x00"} {
		_, err := w.developers.RequestPlan(t.Context(), &authv1.RequestPlanRequest{AccountId: account, Plan: elevated, Reason: reason})
		wantCode(t, err, "INVALID_ARGUMENT")
	}
	_, err = w.developers.ListPlanRequests(t.Context(), &authv1.ListPlanRequestsRequest{AccountId: id.New("dev")})
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
}

func TestOnePlanRequestIsOpenAndDecidedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*world{w, w.replica()}
	for range 5 {
		account := w.account()
		made := make([]*authv1.PlanRequest, 8)
		atOnce(len(made), replicas, func(i int, w *world) {
			r, err := w.askFor(account, elevated)
			if err != nil && !errs.HasCode(err, "PLAN_REQUEST_OPEN") {
				t.Error(err)
			}
			made[i] = r
		})
		open := w.planRequests(account, false)
		if len(open) != 1 {
			t.Fatalf("%d requests are open, want 1", len(open))
		}
		decided := make([]error, 8)
		atOnce(len(decided), replicas, func(i int, w *world) {
			if i < 4 {
				_, decided[i] = w.developers.GrantPlanRequest(w.Context(), &authv1.GrantPlanRequestRequest{Id: open[0].GetId()})
			} else {
				_, decided[i] = w.developers.RefusePlanRequest(w.Context(), &authv1.RefusePlanRequestRequest{Id: open[0].GetId(), Note: "no"})
			}
		})
		won := -1
		for i, err := range decided {
			switch {
			case err == nil && won >= 0:
				t.Error("two decisions succeeded")
			case err == nil:
				won = i
			case !errs.HasCode(err, "PLAN_REQUEST_DECIDED"):
				t.Error(err)
			}
		}
		read, err := w.developers.GetAccount(t.Context(), &authv1.GetAccountRequest{Id: account})
		w.must(err)
		if isElevated := read.GetAccount().GetPlan().GetName() == authv1.PlanName_PLAN_NAME_ELEVATED; isElevated != (won >= 0 && won < 4) {
			t.Errorf("after decision %d, the plan is %v", won, read.GetAccount().GetPlan())
		}
	}
}
