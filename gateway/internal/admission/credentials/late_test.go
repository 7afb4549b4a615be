package credentials_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// lateAuth is a fake auth service that never responds in time.
type lateAuth struct {
	*fakeAuth
	err error
}

func (a lateAuth) ResolveCredential(context.Context, *authv1.ResolveCredentialRequest, ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	return nil, a.err
}

// A context error would be reported as a 500.
func TestAuthTimeoutIsUnavailable(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		for _, late := range []error{context.DeadlineExceeded, context.Canceled} {
			s := newScene(t, testkit.Redis(t), spends)
			v := newVerifier(t, lateAuth{s.fakeAuth, late}, s.fakeAuth, s.rdb, s.rdb, s.now)
			_, err := ask(t, v, accessToken, spends)
			if e, ok := errs.As(err); !ok || e.Kind != errs.Unavailable || !errors.Is(err, late) {
				t.Errorf("%v: error %v, want UNAVAILABLE with the cause", late, err)
			}
		}
	})
}

// Redis and Postgres store times with microsecond precision.
func TestCredentialExpiryIsExactToMicrosecond(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.now.Advance(time.Microsecond - time.Duration(s.now.Now().Nanosecond()%1000)) // advance to a whole microsecond
		s.live(time.Minute + 500*time.Nanosecond)
		s.now.Advance(time.Minute - time.Microsecond)
		if err := s.verify(t); err != nil {
			t.Errorf("before: %v", err)
		}
		s.now.Advance(time.Microsecond)
		wantDead(t, s.verify(t))
	})
}

// slowLimits responds only after the record has expired.
type slowLimits struct {
	record *authv1.SessionRecord
	now    *clock.Fake
	calls  int
}

func (l *slowLimits) Admit(context.Context, limits.Ask) (limits.Decision, error) {
	if l.calls++; l.calls > 1 { // the first call gets the record from the auth service
		l.now.Advance(time.Hour)
	}
	return limits.Decision{Outcome: limits.Admitted, Record: l.record}, nil
}

func TestExpiryDuringRedisCallIsRejected(t *testing.T) {
	s := newScene(t, testkit.Redis(t), true)
	s.live(time.Hour)
	v, err := credentials.New(credentials.Config{
		Auth: directAuth{s.fakeAuth}, Redis: s.rdb, Guard: newGuard(t, s.now), Clock: s.now,
		Records: newOpener(t, records.Config{Seal: seal(t, "a"), Clock: s.now, Log: slog.New(slog.DiscardHandler)}),
		Limits:  &slowLimits{record: s.record.Load(), now: s.now},
	}, limits.Tiers{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Admit(t.Context(), accessToken, hash, nil); err != nil {
		t.Fatal(err)
	}
	_, err = v.Admit(t.Context(), accessToken, hash, nil)
	wantDead(t, err)
}
