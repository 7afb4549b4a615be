package admission

import (
	"context"
	"errors"
	"net/http"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
)

// Limiter limits requests that carry no account. limits.Limiter implements it. Its
// errors are of the type *limits.TierRefusal.
type Limiter interface {
	// Surface spends a request of the subject, if it may pass.
	Surface(ctx context.Context, t limits.Tier, subject string) error
	// Left spends nothing, and leaves room for others that may be spent yet.
	Left(ctx context.Context, t limits.Tier, subject string, others int) error
}

// Surface limits the requests of one surface by address
// (behaviour: limits#surface-tiers). The address is that of the client
// (chain.ClientIP); an IPv6 address counts as its /64.
type Surface struct {
	// Name separates the counters of this surface from those of others.
	Name string
	// Tier is the limit of each address.
	Tier limits.Tier
	// Limiter keeps the counters.
	Limiter Limiter
}

// MadeUp limits by address how often credentials are presented that were never issued.
// All doors share its counters.
func MadeUp(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "made-up credential", Tier: tiers.FailedAddress, Limiter: l}
}

// Authorize limits by address how often authorization requests are made. All doors
// share its counters (behaviour: limits#surface-tiers).
func Authorize(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "authorize", Tier: tiers.Authorize, Limiter: l}
}

// Pages limits by address how often pages are opened for which another part is asked
// (behaviour: limits#pages).
func Pages(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "page", Tier: tiers.Page, Limiter: l}
}

// ConsolePages limits by address how often pages of the developer console are opened for
// which another part is asked (behaviour: limits#pages). Its counters are not those of
// Pages: a team that works with the console keeps nobody at its address from consenting.
func ConsolePages(tiers limits.Tiers, l Limiter) Surface {
	return Surface{Name: "console page", Tier: tiers.Page, Limiter: l}
}

// Spend spends a request of the client's address. Errors: RATE_LIMIT_EXCEEDED.
func (s Surface) Spend(r *http.Request) error {
	return s.Limiter.Surface(r.Context(), s.Tier, s.subject(r))
}

// Left fails as Spend does and spends nothing. It leaves room for others that may be spent
// yet.
func (s Surface) Left(r *http.Request, others int) error {
	return s.Limiter.Left(r.Context(), s.Tier, s.subject(r), others)
}

func (s Surface) subject(r *http.Request) string {
	return s.Name + " address " + chain.Network(chain.ClientIP(r))
}

// Limit passes a request on if its address has requests left.
func (s Surface) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.Spend(r); err != nil {
			Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Refuse answers with an error. That of a tier also sets the headers that tell of the
// tier (behaviour: limits#tier-headers).
func Refuse(w http.ResponseWriter, r *http.Request, err error) {
	if refusal, ok := errors.AsType[*limits.TierRefusal](err); ok {
		refusal.SetHeaders(w.Header())
	}
	chain.Fail(w, r, err)
}
