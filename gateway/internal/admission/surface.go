package admission

import (
	"errors"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
)

// Surface limits requests to one surface per client IP address (behaviour: limits#surface-tiers). An IPv6
// address counts as its /64 network.
type Surface struct {
	// Name separates the counters of this surface from those of other surfaces.
	Name string
	// Tier is the limit per IP address.
	Tier    limits.Tier
	Limiter Limiter
}

// Charge charges a request to the client's IP address. It returns RATE_LIMIT_EXCEEDED if the limit is exceeded.
func (s Surface) Charge(r *http.Request) error {
	return s.Limiter.Surface(r.Context(), s.Tier, s.subject(r))
}

// Check returns the error that Charge would return, but charges nothing. It reserves room for others, the
// number of other requests in progress.
func (s Surface) Check(r *http.Request, others int) error {
	return s.Limiter.CheckSurface(r.Context(), s.Tier, s.subject(r), others)
}

func (s Surface) subject(r *http.Request) string {
	return s.Name + " address " + chain.Network(chain.ClientIP(r))
}

// Limit charges each request to the client's IP address, and calls next if the limit allows it.
func (s Surface) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.Charge(r); err != nil {
			Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Refuse responds with an error. For a *limits.TierRefusal, it also sets the headers that describe the tier
// (behaviour: limits#tier-headers).
func Refuse(w http.ResponseWriter, r *http.Request, err error) {
	if refusal, ok := errors.AsType[*limits.TierRefusal](err); ok {
		refusal.SetHeaders(w.Header())
	}
	chain.Fail(w, r, err)
}
