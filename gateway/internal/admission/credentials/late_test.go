package credentials_test

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// lateAuth does not answer in time.
type lateAuth struct {
	*fakeAuth
	err error
}

func (a lateAuth) ResolveCredential(context.Context, *authv1.ResolveCredentialRequest, ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	return nil, a.err
}

// An error of a context would be answered as a fault of ours.
func TestAnAuthThatIsLateIsUnavailable(t *testing.T) {
	ways(t, func(t *testing.T, spends bool) {
		for _, late := range []error{context.DeadlineExceeded, context.Canceled} {
			s := newScene(t, testkit.Redis(t), spends)
			v := newVerifier(t, lateAuth{s.fakeAuth, late}, s.fakeAuth, s.rdb, s.rdb, s.now)
			_, err := ask(t, v, accessToken, spends)
			if e, ok := errs.As(err); !ok || e.Kind != errs.Unavailable {
				t.Errorf("%v: %v", late, err)
			}
		}
	})
}

// Redis and Postgres keep microseconds, so all agree on the moment.
func TestACredentialEndsAtTheMicrosecondOfItsEnd(t *testing.T) {
	ways(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.now.Advance(time.Microsecond - time.Duration(s.now.Now().Nanosecond()%1000)) // a whole one
		s.live(time.Minute + 500*time.Nanosecond)
		s.now.Advance(time.Minute - time.Microsecond)
		if err := s.verify(t); err != nil {
			t.Errorf("before: %v", err)
		}
		s.now.Advance(time.Microsecond)
		wantDead(t, s.verify(t))
	})
}
