package admission

import (
	"context"
	"net/http"
	"net/netip"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
)

// Limiter decides on requests of no account; limits.Limiter is one.
type Limiter interface {
	Surface(ctx context.Context, t limits.Tier, subject string) error
}

// Surface limits the requests of one surface, by whoever sends them.
type Surface struct {
	// Name keeps its subjects apart from those of other surfaces.
	Name string
	// Tier of each subject.
	Tier limits.Tier
	// Limiter holds the counters.
	Limiter Limiter
}

// ByClient spends for a client id, for the request's address when none is named.
// Errors: RATE_LIMIT_EXCEEDED.
func (s Surface) ByClient(r *http.Request, clientID string) error {
	if clientID == "" {
		return s.ByAddress(r)
	}
	return s.Limiter.Surface(r.Context(), s.Tier, s.Name+" client "+clientID)
}

// ByAddress spends for the request's address. Errors: RATE_LIMIT_EXCEEDED.
func (s Surface) ByAddress(r *http.Request) error {
	return s.Limiter.Surface(r.Context(), s.Tier, s.Name+" address "+network(chain.ClientIP(r)))
}

// Limit hands on what the request's address may still ask for.
func (s Surface) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.ByAddress(r); err != nil {
			chain.Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// network is what counts as one client: an IPv6 host has a /64 to itself.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || a.Is4() {
		return address
	}
	prefix, err := a.Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}
