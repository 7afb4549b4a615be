package admission

import (
	"context"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
)

// Windows count the requests of a rate's subjects; limits.Limiter does.
type Windows interface {
	Spend(ctx context.Context, r limits.Rate, subject string) limits.Window
	Look(ctx context.Context, r limits.Rate, subject string) limits.Window
}

// Partners limits the requests of the older interface, by the app that sends them
// (spec: Other constants). Every answer to a known app says what is left.
type Partners struct {
	// Windows holds the counters.
	Windows Windows
	// Rate of each app.
	Rate limits.Rate
	// Lifted counts and never refuses, for benchmarks.
	Lifted bool
}

// Spend spends one request of the app. Errors: RATE_LIMIT_EXCEEDED.
func (p Partners) Spend(w http.ResponseWriter, r *http.Request, appID string) error {
	window := p.Windows.Spend(r.Context(), p.Rate, subjectOf(appID))
	window.SetHeaders(w.Header())
	if p.Lifted {
		return nil
	}
	return window.Refusal
}

// Show says what the app has left, for a request that spends nothing.
func (p Partners) Show(w http.ResponseWriter, r *http.Request, appID string) {
	p.Windows.Look(r.Context(), p.Rate, subjectOf(appID)).SetHeaders(w.Header())
}

func subjectOf(appID string) string { return "partner " + appID }
