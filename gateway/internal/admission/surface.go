package admission

import (
	"errors"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
)

// Surface limits the requests of one surface by client address
// (behaviour: limits#surface-tiers). An IPv6 address counts as its /64.
type Surface struct {
	// Name separates the counters of this surface from those of others.
	Name string
	// Tier is the limit of each address.
	Tier    limits.Tier
	Limiter Limiter
}

// Charge charges a request to the client's address. Errors: RATE_LIMIT_EXCEEDED.
func (s Surface) Charge(r *http.Request) error {
	return s.Limiter.Surface(r.Context(), s.Tier, s.subject(r))
}

// Check fails as Charge would, with room for others that are in progress. It charges nothing.
func (s Surface) Check(r *http.Request, others int) error {
	return s.Limiter.CheckSurface(r.Context(), s.Tier, s.subject(r), others)
}

func (s Surface) subject(r *http.Request) string {
	return s.Name + " address " + chain.Network(chain.ClientIP(r))
}

// Limit charges each request to its address, and calls next if the limit allows it.
func (s Surface) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.Charge(r); err != nil {
			Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Refuse answers with an error. For a *limits.TierRefusal it also sets the headers that
// describe the tier (behaviour: limits#tier-headers).
func Refuse(w http.ResponseWriter, r *http.Request, err error) {
	if refusal, ok := errors.AsType[*limits.TierRefusal](err); ok {
		refusal.SetHeaders(w.Header())
	}
	chain.Fail(w, r, err)
}
