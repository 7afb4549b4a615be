package app

import (
	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/introspection"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/outage"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// admissionParts holds the parts of admission that all listeners share.
type admissionParts struct {
	admission.Shared
	limiter      *limits.Limiter
	reading      *limits.Reading
	introspected *introspection.Reader
}

func (g *Gateway) newAdmission() (a admissionParts, err error) {
	guard, err := outage.New(clock.System{}, g.log)
	if err != nil {
		return a, err
	}
	seal, err := sessionrecord.NewSeal(g.rings.records)
	if err != nil {
		return a, err
	}
	believed, err := records.New(records.Config{Seal: seal, Clock: clock.System{}, Log: g.log})
	if err != nil {
		return a, err
	}
	a.Tiers = g.cfg.tiers()
	a.limiter, err = limits.New(limits.Config{
		Redis: g.redis, Records: believed, Guard: guard, Usage: authv1.NewUsageServiceClient(g.parts.auth), Clock: clock.System{},
	})
	if err != nil {
		return a, err
	}
	a.Limiter = a.limiter
	if a.reading, err = limits.NewReading(a.limiter, g.redis); err != nil {
		return a, err
	}
	if a.introspected, err = introspection.New(clock.System{}); err != nil {
		return a, err
	}
	a.Verifier, err = credentials.New(credentials.Config{
		Auth: authv1.NewCredentialServiceClient(g.parts.auth), Redis: g.redis, Records: believed,
		Guard: guard, Limits: a.limiter, Clock: clock.System{},
	}, a.Tiers)
	if err != nil {
		return a, err
	}
	a.Addresses, err = signedurl.New(g.rings.links, g.cfg.BaseURL)
	return a, err
}
