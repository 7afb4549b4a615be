package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func standardPlan() *authv1.Plan {
	return &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_STANDARD, PerMinute: 300, PerDay: 20_000}
}

// budgetBackend stands in for the limits of the gateway, and for what auth knows of them.
type budgetBackend struct {
	standing      Standing
	standingFault error
	standings     int
	refusals      []*authv1.Refusals
	requests      []*authv1.PlanRequest
	planAsked     *authv1.RequestPlanRequest
}

func (b *backend) Standing(context.Context, string) (Standing, error) {
	b.standings++
	s := b.standing
	s.Now, s.MinuteEnds, s.DayEnds = now, now.Add(time.Minute), now.Add(12*time.Hour)
	return s, b.standingFault
}

func (b *backend) Surfaces() []Surface {
	return []Surface{
		{Name: "/v1 with an API key", CountedFor: "the app", Burst: Rate{20, time.Second}, Sustained: Rate{3000, time.Minute}, Limits: []string{"api_key_burst", "api_key_sustained"}},
		{Name: "/oauth/authorize", CountedFor: "the IP address", Burst: Rate{20, 10 * time.Second}, Sustained: Rate{6000, time.Hour}},
	}
}

func (b *backend) ListRefusals(ctx context.Context, r *authv1.ListRefusalsRequest, _ ...grpc.CallOption) (*authv1.ListRefusalsResponse, error) {
	_, err := b.session(ctx, "ListRefusals "+r.GetFromDay()+" "+r.GetToDay())
	return &authv1.ListRefusalsResponse{Refusals: b.refusals}, err
}

func (b *backend) ListUsage(ctx context.Context, r *authv1.ListUsageRequest, _ ...grpc.CallOption) (*authv1.ListUsageResponse, error) {
	_, err := b.session(ctx, "ListUsage "+r.GetAccountId())
	return &authv1.ListUsageResponse{}, err
}

func (b *backend) ListPlanRequests(ctx context.Context, r *authv1.ListPlanRequestsRequest, _ ...grpc.CallOption) (*authv1.ListPlanRequestsResponse, error) {
	_, err := b.session(ctx, "ListPlanRequests "+r.GetAccountId())
	return &authv1.ListPlanRequestsResponse{PlanRequests: b.requests, Plans: []*authv1.Plan{
		standardPlan(), {Name: authv1.PlanName_PLAN_NAME_ELEVATED, PerMinute: 1_000, PerDay: 200_000},
	}}, err
}

func (b *backend) RequestPlan(ctx context.Context, r *authv1.RequestPlanRequest, _ ...grpc.CallOption) (*authv1.RequestPlanResponse, error) {
	b.planAsked = r
	if b.fail != nil {
		return nil, b.fail
	}
	b.made++
	_, err := b.session(ctx, "RequestPlan")
	return &authv1.RequestPlanResponse{}, err
}

func wantAll(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

func TestLimitsShowWhatIsLeftAndHowOftenEachLimitRefused(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.standing = Standing{MinuteSpent: 12, DaySpent: 1_500}
	back.refusals = []*authv1.Refusals{
		{Day: "2026-03-01", Limit: "api_key_burst", Requests: 1_200}, {Day: "2026-03-01", Limit: "api_key_sustained", Requests: 34},
		{Day: "2026-02-28", Limit: "api_key_burst", Requests: 56}, {Day: "2026-03-01", Limit: "minute", Requests: 7},
	}
	b := signedIn(t, back, member(owner, "dev_1"))
	page := body(t, b.get("/limits"))
	wantAll(t, page,
		"Standard", "300 requests a minute and 20,000 a UTC day", "288</strong> of 300 left", "18,500</strong> of 20,000 left",
		"12:01:00 UTC</time>, in 1\u00a0min", "midnight UTC</time>, in 12\u00a0h", "Refused: 7 today, 0 yesterday",
		`<td class="number">1,234</td><td class="number">56</td>`, "not counted by account", "20 a second", "3,000 a minute", "20 in 10\u00a0s", "6,000 an hour", ">Ask for another plan<")
	if _, asked := back.asked["ListRefusals 2026-02-28 2026-03-01"]; !asked {
		t.Errorf("refusals were asked of other days: %v", back.asked)
	}
	if back.standings != 1 {
		t.Errorf("the counters were asked %d times for a page", back.standings)
	}
}

func TestLimitsSayWhenTheCountersAreAwayAndShowTheRest(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	back.standing = Standing{DaySpent: 3, Partial: true}
	wantAll(t, body(t, b.get("/limits")), "The shared counters don’t respond right now.", "19,997</strong> of 20,000 left", "Surface tiers")
	back.standingFault = errs.New(errs.Unavailable, errs.CodeUnavailable, "away")
	res := b.get("/limits")
	wantAll(t, body(t, res), "We can’t show what’s left right now", "unknown", "Surface tiers", "300 requests a minute")
	if res := b.get("/apps"); res.StatusCode != http.StatusOK {
		t.Errorf("another page fails without the counters: %d", res.StatusCode)
	}
}

func TestEveryPageWarnsFromFourFifthsOfTheDayOnAndWhenRequestsAreRefused(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
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
		back.standing = Standing{MinuteSpent: c.minute, DaySpent: c.day}
		for _, path := range []string{"/", "/apps", "/team", "/audit", "/settings", "/limits"} {
			page := body(t, b.get(path))
			if warned := strings.Contains(page, `class="alert"`); warned != (c.want != "") || !strings.Contains(page, c.want) {
				t.Errorf("%s at %d and %d: warns %t, want %q", path, c.minute, c.day, warned, c.want)
			}
		}
	}
	back.standings = 0
	b.get("/apps")
	if back.standings != 1 {
		t.Errorf("the counters were asked %d times for a page", back.standings)
	}
}

func TestAnOwnerAsksForAnotherPlanAndReadsTheAnswer(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	for _, c := range []struct {
		form url.Values
		want *authv1.Plan
		says string
	}{
		{url.Values{"reason": {"why"}}, nil, "Choose a plan."},
		{url.Values{"plan": {"custom"}, "per-minute": {"many"}, "per-day": {"0"}, "reason": {"because"}}, nil, `href="#per-day"`},
		{url.Values{"plan": {"custom"}, "per-minute": {"2,000"}, "per-day": {"400 000"}, "reason": {"because"}}, &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 2000, PerDay: 400_000}, ""},
		{url.Values{"plan": {"elevated"}, "reason": {"because"}}, &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED}, ""},
	} {
		back.planAsked = nil
		res := b.post("/limits", "/limits", c.form)
		if got := back.planAsked.GetPlan(); c.want == nil && got != nil || got.GetName() != c.want.GetName() || got.GetPerMinute() != c.want.GetPerMinute() || got.GetPerDay() != c.want.GetPerDay() {
			t.Errorf("%v: asked for %v", c.form, got)
		}
		if c.want == nil {
			if page := body(t, res); res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(page, c.says) || !strings.Contains(page, c.form.Get("reason")+"</textarea>") {
				t.Errorf("%v: %d", c.form, res.StatusCode)
			}
		} else if res.Header.Get("Location") != "/limits" {
			t.Errorf("%v: %d", c.form, res.StatusCode)
		}
	}
	back.fail = errs.New(errs.Precondition, "PLAN_REQUEST_OPEN", "The account has asked for another plan already.")
	wantAll(t, body(t, b.post("/limits", "/limits", url.Values{"plan": {"elevated"}, "reason": {"because"}})), "The account has asked for another plan already.")

	back.requests = []*authv1.PlanRequest{
		{Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED, PerMinute: 1000, PerDay: 200_000}, Reason: "<b>for the launch</b>", State: authv1.PlanRequestState_PLAN_REQUEST_STATE_OPEN, CreatedAt: timestamppb.New(now)},
		{Plan: standardPlan(), State: authv1.PlanRequestState_PLAN_REQUEST_STATE_REFUSED, Note: "Not yet.", DecidedAt: timestamppb.New(now.Add(-time.Hour))},
		{Plan: standardPlan(), State: authv1.PlanRequestState_PLAN_REQUEST_STATE_GRANTED, Note: "Older.", DecidedAt: timestamppb.New(now.Add(-2 * time.Hour))},
	}
	page := body(t, b.get("/limits"))
	wantAll(t, page, "You’ve asked for another plan", "Elevated, 1,000 requests a minute and 200,000 a day", "&lt;b&gt;for the launch", "Not yet.", "refused</strong>")
	if strings.Contains(page, ">Ask for another plan<") || strings.Contains(page, "Older.") {
		t.Error("the form stands beside an open request, or an older answer is shown")
	}
}

func TestThePlansToAskForShowTheirFigures(t *testing.T) {
	t.Parallel()
	page := body(t, signedIn(t, newBackend(), member(owner, "dev_1")).get("/limits"))
	wantAll(t, page, `id="plan-elevated">1,000 requests a minute and 200,000 a day`, `id="plan-custom">What you need, as described below`)
	if strings.Contains(page, `id="plan-standard"`) {
		t.Error("the plan in force is offered")
	}
}

func TestOnlyOwnersAreOfferedToAskForAnotherPlan(t *testing.T) {
	t.Parallel()
	for _, role := range []optionsv1.Role{optionsv1.Role_ROLE_DEVELOPER, optionsv1.Role_ROLE_VIEWER} {
		b := signedIn(t, newBackend(), member(role, "dev_1"))
		if page := body(t, b.get("/limits")); strings.Contains(page, ">Ask for another plan<") || !strings.Contains(page, "Owners of the account can ask for another plan.") {
			t.Errorf("%v is offered the form", role)
		}
	}
}
