package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestLimitsShowRemainingAndRejected(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.standing = shell.Standing{MinuteSpent: 12, DaySpent: 1_500}
	back.refusals = []*authv1.Refusals{
		{Day: "2026-03-01", Limit: "api_key_burst", Requests: 1_200}, {Day: "2026-03-01", Limit: "api_key_sustained", Requests: 34},
		{Day: "2026-02-28", Limit: "api_key_burst", Requests: 56}, {Day: "2026-03-01", Limit: "minute", Requests: 7},
	}
	wantAll(t, signIn(t, back, member(owner, "dev_1")).page("/limits"),
		"Standard", "300 requests a minute and 20,000 a UTC day", "288</strong> of 300 left", "18,500</strong> of 20,000 left",
		"12:01:00 UTC</time>, in 1\u00a0min", "midnight UTC</time>, in 12\u00a0h", "Refused: 7 today, 0 yesterday",
		`<td class="number">1,234</td><td class="number">56</td>`, "not counted by account", "20 a second", "3,000 a minute", "20 in 10\u00a0s", "6,000 an hour")
	if asked := sent[*authv1.ListRefusalsRequest](back)[0]; asked.GetFromDay() != "2026-02-28" || asked.GetToDay() != "2026-03-01" {
		t.Errorf("refusals were listed for %v", asked)
	}
}

func TestPagesWorkWithoutCounters(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	back.standing = shell.Standing{DaySpent: 3, Partial: true}
	wantAll(t, b.page("/limits"), "The shared counters don’t respond right now.", "19,997</strong> of 20,000 left", "Surface tiers")
	back.standingFault = errs.New(errs.Unavailable, errs.CodeUnavailable, "away")
	wantAll(t, b.page("/limits"), "We can’t show what’s left right now", "unknown", "Surface tiers", "300 requests a minute")
	wantAll(t, b.page("/"), "The counters don’t respond right now.")
	if res := b.get("/apps"); res.StatusCode != http.StatusOK {
		t.Errorf("/apps: status %d", res.StatusCode)
	}
}

func TestPagesWarnBeforeQuotaIsUsedUp(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	for _, c := range []struct {
		minute, day int64
		want        string
	}{
		{0, 15_999, ""},
		{299, 16_000, "80 % of today’s quota is used: 4,000 of 20,000 requests are left until"},
		{0, 19_999, "99 % of today’s quota is used: 1 of 20,000 requests"},
		{300, 10, "All 300 of this minute’s requests are used."},
		{300, 20_000, "All 20,000 of today’s requests are used."},
	} {
		back.standing = shell.Standing{MinuteSpent: c.minute, DaySpent: c.day}
		for _, path := range []string{"/", "/apps", "/limits"} {
			back.standings = 0
			page := b.page(path)
			if warned := strings.Contains(page, `class="alert"`); warned != (c.want != "") || !strings.Contains(page, c.want) {
				t.Errorf("%s at %d and %d: shows a warning: %t, want %q", path, c.minute, c.day, warned, c.want)
			}
			if back.standings != 1 {
				t.Errorf("%s reads the counters %d times, want 1", path, back.standings)
			}
		}
	}
}

func TestOwnerRequestsPlan(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	wantAll(t, b.page("/limits"), `id="plan-elevated">1,000 requests a minute and 200,000 a day`, `id="plan-custom">`)
	wantNone(t, b.page("/limits"), `id="plan-standard"`)
	for _, c := range []struct {
		form url.Values
		says string
	}{
		{url.Values{"reason": {"why"}}, "Choose a plan."},
		{url.Values{"plan": {"custom"}, "per-minute": {"many"}, "per-day": {"0"}, "reason": {"because"}}, `href="#per-day"`},
	} {
		res := b.post("/limits", "/limits", c.form)
		if res.StatusCode != http.StatusUnprocessableEntity || len(sent[*authv1.RequestPlanRequest](back)) != 0 {
			t.Errorf("%v: status %d", c.form, res.StatusCode)
		}
		wantAll(t, body(t, res), c.says, c.form.Get("reason")+"</textarea>")
	}
	for i, want := range []*authv1.Plan{
		{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 2000, PerDay: 400_000}, {Name: authv1.PlanName_PLAN_NAME_ELEVATED},
	} {
		plan := []string{"custom", "elevated"}[i]
		leads(t, b.post("/limits", "/limits", url.Values{"plan": {plan}, "per-minute": {"2,000"}, "per-day": {"400 000"}, "reason": {"because"}}), "/limits")
		if got := sent[*authv1.RequestPlanRequest](back)[i].GetPlan(); !proto.Equal(got, want) {
			t.Errorf("requested %v, want %v", got, want)
		}
	}
	back.fail["RequestPlan"] = errs.New(errs.Precondition, "PLAN_REQUEST_OPEN", "The account has asked for another plan already.")
	wantAll(t, body(t, b.post("/limits", "/limits", url.Values{"plan": {"elevated"}, "reason": {"because"}})), "The account has asked for another plan already.")
}

func TestLimitsShowOpenAndLastRequest(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.plans = []*authv1.PlanRequest{
		{Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED, PerMinute: 1000, PerDay: 200_000}, Reason: "<b>for the launch</b>", State: authv1.PlanRequestState_PLAN_REQUEST_STATE_OPEN, CreatedAt: timestamppb.New(now)},
		{Plan: standardPlan(), State: authv1.PlanRequestState_PLAN_REQUEST_STATE_REFUSED, Note: "Not yet.", DecidedAt: timestamppb.New(now.Add(-time.Hour))},
		{Plan: standardPlan(), State: authv1.PlanRequestState_PLAN_REQUEST_STATE_GRANTED, Note: "Older.", DecidedAt: timestamppb.New(now.Add(-2 * time.Hour))},
	}
	page := signIn(t, back, member(owner, "dev_1")).page("/limits")
	wantAll(t, page, "You’ve asked for another plan", "Elevated, 1,000 requests a minute and 200,000 a day", "&lt;b&gt;for the launch", "Not yet.", "refused</strong>")
	wantNone(t, page, ">Ask for another plan<", "Older.")
}
