package admission

import (
	"context"
	"errors"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
)

// Limiter limits requests that have no account. limits.Limiter implements it. Its
// errors are of the type *limits.TierRefusal.
type Limiter interface {
	// Surface charges a request to the subject, or refuses it.
	Surface(ctx context.Context, t limits.Tier, subject string) error
	// CheckSurface charges nothing. It reserves room for other requests in progress.
	CheckSurface(ctx context.Context, t limits.Tier, subject string, others int) error
}

// Surface limits the requests of one surface by client address
// (behaviour: limits#surface-tiers). An IPv6 address counts as its /64.
type Surface struct {
	// Name separates the counters of this surface from those of others.
	Name string
	// Tier is the limit of each address.
	Tier    limits.Tier
	Limiter Limiter
}

// MadeUp limits credentials that were never issued. All listeners share its counters.
func MadeUp(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "made-up credential", Tier: tiers.FailedAddress, Limiter: l}
}

// Authorize limits authorization requests. All listeners share its counters
// (behaviour: limits#surface-tiers).
func Authorize(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "authorize", Tier: tiers.Authorize, Limiter: l}
}

// Pages limits requests for pages that need a call to a service (behaviour: limits#pages).
func Pages(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "page", Tier: tiers.Page, Limiter: l}
}

// ConsolePages is Pages for the developer console. It has its own counters, so that a team
// that uses the console does not block consent at the same address.
func ConsolePages(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "console page", Tier: tiers.Page, Limiter: l}
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
