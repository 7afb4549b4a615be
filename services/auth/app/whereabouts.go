package app

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/services/auth/internal/geoip"
	"vitae.internal/services/auth/internal/people/session"
)

// whereabouts determines countries from the client IP addresses that the gateway sends.
type whereabouts struct{ addresses *geoip.Database }

var _ session.Whereabouts = whereabouts{}

// Here returns the country only for calls from the gateway. In all other calls, the IP address belongs to another
// service.
func (w whereabouts) Here(ctx context.Context) (country string, known bool) {
	address := grpcx.ClientAddress(ctx)
	if grpcserver.Caller(ctx) != audit.Gateway || address == "" {
		return "", false
	}
	return w.addresses.Country(address), true
}

func (w whereabouts) Shown() bool { return w.addresses.On() }
