package admission

import (
	"context"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
)

// Windows counts a subject's requests in aligned windows. limits.Limiter implements it.
type Windows interface {
	Charge(ctx context.Context, r limits.Rate, subject string) limits.Window
	Read(ctx context.Context, r limits.Rate, subject string) limits.Window
}

// Partners limits requests to the legacy interface per app (behaviour: legacy#hourly-limit), and sets the
// headers that describe the limit.
type Partners struct {
	Windows Windows
	// Rate is the limit of each app.
	Rate limits.Rate
	// Lifted disables the limit, for benchmarks. Requests are still counted.
	Lifted bool
}

// Charge charges a request to the app. It returns RATE_LIMIT_EXCEEDED if the limit is exceeded.
func (p Partners) Charge(w http.ResponseWriter, r *http.Request, appID string) error {
	window := p.Windows.Charge(r.Context(), p.Rate, subjectOf(appID))
	window.SetHeaders(w.Header())
	if p.Lifted {
		return nil
	}
	return window.Refusal
}

// Show sets the headers without charging the request.
func (p Partners) Show(w http.ResponseWriter, r *http.Request, appID string) {
	p.Windows.Read(r.Context(), p.Rate, subjectOf(appID)).SetHeaders(w.Header())
}

func subjectOf(appID string) string { return "partner " + appID }
