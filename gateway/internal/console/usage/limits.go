package usage

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// limitsView holds the data for the limits page.
type limitsView struct {
	Plan              string
	PerMinute, PerDay int64
	Budget            *shell.Budget
	// ByMinute and ByDay count the requests that the plan's limits rejected.
	ByMinute, ByDay  refusals
	Today, Yesterday time.Time
	Surfaces         []surfaceRow
	// Open is the pending request for a different plan. Last is the request that was decided most
	// recently. Each is nil if there is none.
	Open, Last *planRequest
	Form       planForm
	Choices    []planChoice
	// Guide is the URL of the documentation about plans.
	Guide      string
	MayRequest bool
}

// refusals holds the number of rejected requests per UTC day.
type refusals struct{ Today, Yesterday int64 }

// surfaceRow is a set of endpoints that share rate limits, with the number of requests that the
// limits rejected.
type surfaceRow struct {
	shell.Surface
	// Logged reports whether the request log contains the rejected requests.
	Logged  bool
	Refused refusals
}

func (h handlers) limits(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawLimits(w, r, v, planForm{}, nil)
}

func (h handlers) drawLimits(w http.ResponseWriter, r *http.Request, v shell.Visit, form planForm, faults []web.Fault) error {
	today := h.Clock.Now().UTC().Truncate(24 * time.Hour)
	body := limitsView{
		Plan: shell.PlanTitle(v.Member.GetPlan()), PerMinute: int64(v.Member.GetPlan().GetPerMinute()), PerDay: int64(v.Member.GetPlan().GetPerDay()),
		Budget: h.Budget(r.Context(), v), Today: today, Yesterday: today.AddDate(0, 0, -1),
		Form: form, Guide: h.AppURL + "/docs/limits",
		MayRequest: v.MayOwn() && !v.Member.GetSuspended(),
	}
	found, err := h.usages.ListRefusals(r.Context(), &authv1.ListRefusalsRequest{
		AccountId: v.AccountID(), FromDay: body.Yesterday.Format(time.DateOnly), ToDay: today.Format(time.DateOnly),
	})
	if err != nil {
		return err
	}
	refused := func(names ...string) refusals { return refusedBy(found.GetRefusals(), today, names) }
	body.ByMinute, body.ByDay = refused("minute"), refused("day")
	for _, s := range h.Limits.Surfaces() {
		body.Surfaces = append(body.Surfaces, surfaceRow{Surface: s, Logged: len(s.Limits) > 0, Refused: refused(s.Limits...)})
	}
	var named []*authv1.Plan
	if body.Open, body.Last, named, err = h.planRequests(r, v.AccountID()); err != nil {
		return err
	}
	body.Choices = choicesOfPlan(v.Member.GetPlan(), named, form)
	return h.Draw(w, r, v, shell.Page{Template: "limits", Title: "Limits", Body: body, Faults: faults, Budget: body.Budget})
}

// refusedBy returns the number of requests that the given limits rejected.
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
