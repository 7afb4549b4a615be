package admission

import (
	"context"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
)

// Windows counts the requests of a subject in windows. limits.Limiter implements it.
type Windows interface {
	Spend(ctx context.Context, r limits.Rate, subject string) limits.Window
	Look(ctx context.Context, r limits.Rate, subject string) limits.Window
}

// Partners limits the requests of the legacy interface by app
// (behaviour: legacy#hourly-limit). Every answer to a known app carries the headers
// of its limit.
type Partners struct {
	// Windows keeps the counters.
	Windows Windows
	// Rate is the limit of each app.
	Rate limits.Rate
	// Lifted counts requests without refusing any, for benchmarks.
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

// Show sets the headers for a request that spends nothing.
func (p Partners) Show(w http.ResponseWriter, r *http.Request, appID string) {
	p.Windows.Look(r.Context(), p.Rate, subjectOf(appID)).SetHeaders(w.Header())
}

func subjectOf(appID string) string { return "partner " + appID }
