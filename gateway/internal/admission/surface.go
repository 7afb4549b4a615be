package admission

import (
	"context"
	"net/http"
	"net/netip"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
)

// Limiter limits requests that carry no account. limits.Limiter implements it.
type Limiter interface {
	Surface(ctx context.Context, t limits.Tier, subject string) error
}

// Surface limits the requests of one surface, by client or by address
// (behaviour: limits#surface-tiers).
type Surface struct {
	// Name separates the counters of this surface from those of others.
	Name string
	// Tier is the limit of each client or address.
	Tier limits.Tier
	// Limiter keeps the counters.
	Limiter Limiter
}

// ByClient spends a request of a client id, or of the address if clientID is empty.
// Errors: RATE_LIMIT_EXCEEDED.
func (s Surface) ByClient(r *http.Request, clientID string) error {
	if clientID == "" {
		return s.ByAddress(r)
	}
	return s.Limiter.Surface(r.Context(), s.Tier, s.Name+" client "+clientID)
}

// ByAddress spends a request of the client's address. Errors: RATE_LIMIT_EXCEEDED.
func (s Surface) ByAddress(r *http.Request) error {
	return s.Limiter.Surface(r.Context(), s.Tier, s.Name+" address "+network(chain.ClientIP(r)))
}

// Limit passes a request on if its address has requests left.
func (s Surface) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.ByAddress(r); err != nil {
			chain.Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// network is the part of an address that counts as one client. A host has a whole
// IPv6 /64, so it could change its address at will.
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
