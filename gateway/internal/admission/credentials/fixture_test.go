package credentials_test

import (
	"log/slog"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/outage"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// seal returns a seal whose keys have the given ids.
func seal(t *testing.T, ids ...string) *sessionrecord.Seal {
	t.Helper()
	s, err := sessionrecord.NewSeal(testkit.Ring("record", ids...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newGuard(t *testing.T, now clock.Clock) *outage.Guard {
	t.Helper()
	guard, err := outage.New(now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

func newOpener(t *testing.T, c records.Config) *records.Opener {
	t.Helper()
	believed, err := records.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return believed
}

func newVerifier(t *testing.T, auth authv1.CredentialServiceClient, usage authv1.UsageServiceClient, reads redis.Scripter, spends redisx.Processor, now clock.Clock) *credentials.Verifier {
	t.Helper()
	return newGateway(t, auth, usage, reads, spends, records.Config{Seal: seal(t, "a"), Clock: now, Log: slog.New(slog.DiscardHandler)})
}

func newGateway(t *testing.T, auth authv1.CredentialServiceClient, usage authv1.UsageServiceClient, reads redis.Scripter, spends redisx.Processor, c records.Config) *credentials.Verifier {
	t.Helper()
	believed, guard := newOpener(t, c), newGuard(t, c.Clock)
	limiter, err := limits.New(limits.Config{Redis: spends, Records: believed, Guard: guard, Usage: usage, Clock: c.Clock})
	if err != nil {
		t.Fatal(err)
	}
	v, err := credentials.New(credentials.Config{Auth: auth, Redis: reads, Records: believed, Guard: guard, Limits: limiter, Clock: c.Clock}, limits.Tiers{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
