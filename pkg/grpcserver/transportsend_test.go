package grpcserver_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// held is a handler that waits until its context ends, or the test lets it go.
type held struct {
	entered chan context.Context
	let     chan struct{}
	deaf    bool // to its context
}

func newHeld(deaf bool) *held {
	return &held{entered: make(chan context.Context, 1), let: make(chan struct{}), deaf: deaf}
}

func (h *held) me(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	h.entered <- ctx
	ended := ctx.Done()
	if h.deaf {
		ended = nil
	}
	select {
	case <-h.let:
		return answered("let go"), nil
	case <-ended:
		return nil, ctx.Err()
	}
}

func TestACallerIsAnsweredAtItsDeadlineInTheProcessAsOverTheWire(t *testing.T) {
	for name, deaf := range map[string]bool{"a handler that hears of it": false, "a handler that goes on": true} {
		t.Run(name, func(t *testing.T) {
			equally(t, "DeadlineExceeded, the server's deadline has ended too", func(t *testing.T, w way) string {
				h := newHeld(deaf)
				defer close(h.let)
				w.part.me = h.me
				me := candidatev1.NewMeServiceClient(w.bare("gateway"))
				ctx, cancel := context.WithTimeout(asOutgoing(t, within(t)), 300*time.Millisecond)
				defer cancel()
				_, err := me.GetMe(ctx, &candidatev1.GetMeRequest{})
				theirs := <-h.entered
				<-theirs.Done()
				if _, has := theirs.Deadline(); !has {
					t.Error("the server knows no deadline")
				}
				return fmt.Sprintf("%v, the server's deadline has ended too", status.Code(err))
			})
		})
	}
}

func TestACallWhoseDeadlineHasPassedIsNotMadeInTheProcessEither(t *testing.T) {
	equally(t, "DeadlineExceeded handlers 0", func(t *testing.T, w way) string {
		ctx, cancel := context.WithDeadline(asOutgoing(t, within(t)), time.Now().Add(-time.Second))
		defer cancel()
		_, err := candidatev1.NewMeServiceClient(w.bare("gateway")).GetMe(ctx, &candidatev1.GetMeRequest{})
		return fmt.Sprintf("%v handlers %d", status.Code(err), w.part.reached.Load())
	})
}

var errWhy = errors.New("what only the caller knows")

func TestAServerHearsThatItsCallerHasGoneInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "Canceled, the server: context canceled, why: context canceled", func(t *testing.T, w way) string {
		h := newHeld(false)
		w.part.me = h.me
		ctx, cancel := context.WithCancelCause(asOutgoing(t, within(t)))
		got := make(chan error, 1)
		go func() {
			_, err := candidatev1.NewMeServiceClient(w.bare("gateway")).GetMe(ctx, &candidatev1.GetMeRequest{})
			got <- err
		}()
		theirs := <-h.entered
		cancel(errWhy)
		<-theirs.Done()
		return fmt.Sprintf("%v, the server: %v, why: %v", status.Code(<-got), theirs.Err(), context.Cause(theirs))
	})
}

func TestWhatAHandlerHasBegunHearsOfItsEndInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "OK, then context canceled", func(t *testing.T, w way) string {
		h := newHeld(false)
		close(h.let)
		w.part.me = h.me
		_, err := candidatev1.NewMeServiceClient(w.bare("gateway")).GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{})
		theirs := <-h.entered
		<-theirs.Done()
		return fmt.Sprintf("%v, then %v", status.Code(err), theirs.Err())
	})
}

type secretKey struct{}

func TestNoValueOfTheCallersContextIsInTheServersInTheProcessEither(t *testing.T) {
	equally(t, "<nil>, usr_1, another: true", func(t *testing.T, w way) string {
		var value any
		var who *identityv1.Principal
		w.part.me = func(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
			value, who = ctx.Value(secretKey{}), principal.FromContext(ctx)
			return answered(""), nil
		}
		ctx := context.WithValue(within(t), secretKey{}, "a secret")
		if _, err := candidatev1.NewMeServiceClient(w.conn("gateway")).GetMe(ctx, &candidatev1.GetMeRequest{}); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%v, %s, another: %t", value, who.GetPersonId(), who != principal.FromContext(ctx))
	})
}

func TestNeitherSideCanChangeWhatTheOtherHasInTheProcessEither(t *testing.T) {
	equally(t, "the server has 7 bytes, the caller Zoë", func(t *testing.T, w way) string {
		kept, resp := make(chan *candidatev1.GetMeRequest, 1), answered("Zoë")
		w.part.me = func(_ context.Context, r *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
			kept <- r
			return resp, nil
		}
		r := &candidatev1.GetMeRequest{}
		r.ProtoReflect().SetUnknown(filler(7))
		got, err := candidatev1.NewMeServiceClient(w.conn("gateway")).GetMe(within(t), r)
		if err != nil {
			t.Fatal(err)
		}
		r.ProtoReflect().GetUnknown()[6] = 1
		r.ProtoReflect().SetUnknown(nil)
		resp.User.Name = "somebody else"
		theirs := (<-kept).ProtoReflect().GetUnknown()
		if theirs[6] != 0 {
			t.Error("the server sees what the caller has written since")
		}
		return fmt.Sprintf("the server has %d bytes, the caller %s", len(theirs), got.GetUser().GetName())
	})
}

// The race detector finds a server that still reads the request of a caller that has gone.
func TestACallerThatHasGoneMayUseItsRequestAgainInTheProcessToo(t *testing.T) {
	equally(t, "", func(t *testing.T, w way) string {
		w.part.me = func(context.Context, *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
			return answered(""), nil
		}
		me := candidatev1.NewMeServiceClient(w.bare("gateway"))
		r := &candidatev1.GetMeRequest{}
		for i := range 200 {
			r.ProtoReflect().SetUnknown(filler(1000 + i))
			ctx, cancel := context.WithCancel(asOutgoing(t, within(t)))
			gone := make(chan struct{})
			go func() { cancel(); close(gone) }()
			_, err := me.GetMe(ctx, r)
			if code := status.Code(err); code != codes.OK && code != codes.Canceled {
				t.Fatal(err)
			}
			<-gone
		}
		return ""
	})
}

func TestAStoppingServerLetsCallsFinishInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "the call: OK let go, a later one: Unavailable, handlers 1", func(t *testing.T, w way) string {
		h := newHeld(false)
		w.part.me = h.me
		me := candidatev1.NewMeServiceClient(w.bare("gateway"))
		type result struct {
			m   *candidatev1.GetMeResponse
			err error
		}
		got := make(chan result, 1)
		go func() {
			m, err := me.GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{})
			got <- result{m, err}
		}()
		<-h.entered
		stopped := make(chan struct{})
		go func() { w.server.Stop(context.Background()); close(stopped) }()
		var later error
		for later == nil { // until the server has been told
			ctx, cancel := context.WithTimeout(asOutgoing(t, within(t)), patience)
			later = ping(ctx, w)
			cancel()
		}
		close(h.let)
		one := <-got
		<-stopped
		return fmt.Sprintf("the call: %v %s, a later one: %v, handlers %d", status.Code(one.err), one.m.GetUser().GetName(), status.Code(later), w.part.reached.Load())
	})
}

func TestCallsThatAreCutAreAnsweredAndEndInTheProcessAsOverTheWire(t *testing.T) {
	for name, deaf := range map[string]bool{"a handler that hears of it": false, "a handler that goes on": true} {
		t.Run(name, func(t *testing.T) {
			equally(t, "Unavailable, the server: context canceled, after it: Unavailable", func(t *testing.T, w way) string {
				h := newHeld(deaf)
				w.part.me = h.me
				me := candidatev1.NewMeServiceClient(w.bare("gateway"))
				got := make(chan error, 1)
				go func() {
					_, err := me.GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{})
					got <- err
				}()
				theirs := <-h.entered
				cut := make(chan struct{})
				go func() { w.cut(); close(cut) }()
				err := <-got
				<-theirs.Done()
				close(h.let)
				<-cut
				_, after := me.GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{})
				return fmt.Sprintf("%v, the server: %v, after it: %v", status.Code(err), theirs.Err(), status.Code(after))
			})
		})
	}
}

func TestAPartThatIsNotThereIsUnavailableInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "Unavailable, Unavailable", func(t *testing.T, w way) string {
		conn := w.bare("gateway")
		w.server.Stop(context.Background())
		_, unary := candidatev1.NewMeServiceClient(conn).GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{})
		s, stream := candidatev1.NewResumeServiceClient(conn).DownloadResume(asOutgoing(t, within(t)), &candidatev1.DownloadResumeRequest{})
		if stream == nil {
			_, stream = s.Recv()
		}
		return fmt.Sprintf("%v, %v", status.Code(unary), status.Code(stream))
	})
}

// ping asks for health on a connection of its own, since one that is there may be used on.
func ping(ctx context.Context, w way) error {
	_, err := grpc_health_v1.NewHealthClient(w.bare("cvrender")).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	return err
}
