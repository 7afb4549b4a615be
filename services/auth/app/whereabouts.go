package app

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/services/auth/internal/geoip"
	"vitae.internal/services/auth/internal/people/session"
)

// whereabouts tells where people are, by the addresses that the gateway names.
type whereabouts struct{ addresses *geoip.Database }

var _ session.Whereabouts = whereabouts{}

// Here implements session.Whereabouts. The address of a call by another part is that part's own.
func (w whereabouts) Here(ctx context.Context) (country string, known bool) {
	address := grpcx.ClientAddress(ctx)
	if grpcserver.Caller(ctx) != audit.Gateway || address == "" {
		return "", false
	}
	return w.addresses.Country(address), true
}

func (w whereabouts) Shown() bool { return w.addresses.On() }
