package console

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const limitsPath = "/limits"

// limitsView is the page of the limits of an account.
type limitsView struct {
	Plan              string
	PerMinute, PerDay int64
	Budget            *budget
	// ByMinute and ByDay are the refusals of the plan.
	ByMinute, ByDay  refusals
	Today, Yesterday time.Time
	Surfaces         []surfaceRow
	// Open is the request for another plan that waits, Last the one that was decided last;
	// nil for none.
	Open, Last *planRequest
	Form       planForm
	Choices    []planChoice
	// Guide is where the plans are described.
	Guide string
	// MayAsk says whether the visitor may ask for another plan.
	MayAsk bool
}

// refusals is how often a limit has refused, by UTC day.
type refusals struct{ Today, Yesterday int64 }

// surfaceRow is a surface with how often its tier has refused.
type surfaceRow struct {
	Surface
	// Told is false if no log holds refusals of the surface.
	Told    bool
	Refused refusals
}

// limits shows the limits of the account and how it stands to them.
func (c *Console) limits(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawLimits(w, r, v, http.StatusOK, planForm{}, nil)
}

func (c *Console) drawLimits(w http.ResponseWriter, r *http.Request, v visit, status int, form planForm, faults []web.Fault) error {
	today := c.Clock.Now().UTC().Truncate(24 * time.Hour)
	body := limitsView{
		Plan: planTitle(v.account.GetPlan()), PerMinute: int64(v.account.GetPlan().GetPerMinute()), PerDay: int64(v.account.GetPlan().GetPerDay()),
		Budget: c.budgetOf(r.Context(), v), Today: today, Yesterday: today.AddDate(0, 0, -1),
		Form: form, Guide: c.AppURL + "/docs/limits",
		MayAsk: v.mayOwn() && !v.account.GetSuspended(),
	}
	found, err := c.usages.ListRefusals(r.Context(), &authv1.ListRefusalsRequest{
		AccountId: v.account.GetAccountId(), FromDay: body.Yesterday.Format(time.DateOnly), ToDay: today.Format(time.DateOnly),
	})
	if err != nil {
		return err
	}
	refused := func(names ...string) refusals { return refusedBy(found.GetRefusals(), today, names) }
	body.ByMinute, body.ByDay = refused("minute"), refused("day")
	for _, s := range c.Limits.Surfaces() {
		body.Surfaces = append(body.Surfaces, surfaceRow{Surface: s, Told: len(s.Limits) > 0, Refused: refused(s.Limits...)})
	}
	var named []*authv1.Plan
	if body.Open, body.Last, named, err = c.planRequests(r, v.account.GetAccountId()); err != nil {
		return err
	}
	body.Choices = choicesOfPlan(v.account.GetPlan(), named, form)
	return c.draw(w, r, v, answerPage{status: status, name: "limits", title: "Limits", body: body, faults: faults, budget: body.Budget})
}

// refusedBy adds up the refusals of limits, by day.
func refusedBy(all []*authv1.Refusals, today time.Time, names []string) (sum refusals) {
	for _, one := range all {
		switch {
		case !slices.Contains(names, one.GetLimit()):
		case one.GetDay() == today.Format(time.DateOnly):
			sum.Today += one.GetRequests()
		default:
			sum.Yesterday += one.GetRequests()
		}
	}
	return sum
}
