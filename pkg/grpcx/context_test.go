package grpcx

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/errs"
)

func TestCallCarriesRequestIDAndAddress(t *testing.T) {
	ctx := WithClientAddress(WithRequestID(t.Context(), "req_1"), "203.0.113.7")
	if RequestID(ctx) != "req_1" || ClientAddress(ctx) != "203.0.113.7" || RequestID(t.Context()) != "" || ClientAddress(t.Context()) != "" {
		t.Errorf("%q, %q", RequestID(ctx), ClientAddress(ctx))
	}
	for name, c := range map[string]struct {
		ctx                context.Context
		requestID, address string
	}{
		"both": {ctx, "req_1", "203.0.113.7"}, "an id": {WithRequestID(t.Context(), "req_1"), "req_1", ""}, "an address": {WithClientAddress(t.Context(), "::1"), "", "::1"}, "none": {t.Context(), "", ""},
	} {
		out, err := outgoing(c.ctx)
		if err != nil {
			t.Fatal(err)
		}
		sent, _ := metadata.FromOutgoingContext(out)
		in := metadata.NewIncomingContext(t.Context(), sent)
		if IncomingRequestID(in) != c.requestID || IncomingClientAddress(in) != c.address {
			t.Errorf("%s: %v", name, sent)
		}
		if (c.address != "") != (len(sent.Get("vitae-client-address")) == 1) || (c.requestID != "") != (len(sent.Get("vitae-request-id")) == 1) {
			t.Errorf("%s: %v", name, sent)
		}
	}
	twice := metadata.NewIncomingContext(t.Context(), metadata.Pairs(clientAddressKey, "a", clientAddressKey, "b", requestIDKey, "a", requestIDKey, "b"))
	if address, requestID := IncomingClientAddress(twice), IncomingRequestID(twice); address != "" || requestID != "" {
		t.Errorf("with two of each: %q, %q", address, requestID)
	}
}

func TestBreakerLearnsResultOfEachCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, refused := status.Error(codes.Unavailable, "down"), errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "open")
		for name, c := range map[string]struct {
			breaker recordingBreaker
			gives   error
			want    errs.Kind
			invoked bool
		}{
			"a response":      {recordingBreaker{}, nil, errs.Internal, true},
			"a service down":  {recordingBreaker{}, down, errs.Unavailable, true},
			"an open breaker": {recordingBreaker{refusal: refused}, nil, errs.Unavailable, false},
		} {
			invoked := false
			cl := &client{breaker: &c.breaker}
			cl.underWay.Store(maxUnderWay - 1)
			err := cl.unary(t.Context(), "/a/b", nil, nil, nil, func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error {
				invoked = true
				if n := cl.underWay.Load(); n != maxUnderWay {
					t.Errorf("%s: %d calls are under way, want maxUnderWay", name, n)
				}
				return c.gives
			})
			if (err == nil) != (name == "a response") || err != nil && errs.KindOf(err) != c.want || invoked != c.invoked || cl.underWay.Load() != maxUnderWay-1 {
				t.Errorf("%s: %v, invoked: %t, %d under way", name, err, invoked, cl.underWay.Load())
			}
			if c.invoked && (len(c.breaker.results) != 1 || !errors.Is(c.breaker.results[0], c.gives) || c.breaker.had != 5*time.Second) || !c.invoked && len(c.breaker.results) != 0 {
				t.Errorf("%s: the breaker recorded results %v with timeout %v", name, c.breaker.results, c.breaker.had)
			}
		}
	})
}

func TestEveryKindHasStatusCode(t *testing.T) {
	for kind, want := range map[errs.Kind]codes.Code{
		errs.Internal: codes.Internal, errs.Invalid: codes.InvalidArgument, errs.Unauthenticated: codes.Unauthenticated, errs.Denied: codes.PermissionDenied,
		errs.NotFound: codes.NotFound, errs.Exists: codes.AlreadyExists, errs.Precondition: codes.FailedPrecondition, errs.Exhausted: codes.ResourceExhausted, errs.Unavailable: codes.Unavailable,
	} {
		if got := status.Code(ToStatus(errs.New(kind, "X", "x"))); got != want {
			t.Errorf("kind %v: %v, want %v", kind, got, want)
		}
	}
	other := status.Error(codes.DataLoss, "unchanged")
	if got := ToStatus(other); status.Code(got) != codes.DataLoss || status.Convert(got).Message() != "unchanged" {
		t.Errorf("a status became %v", got)
	}
}

func TestWithFunctionsKeepOtherValues(t *testing.T) {
	ctx := WithOutside(t.Context(), Outside{RequestID: "req_1", ClientAddress: "203.0.113.7", Operator: true})
	within := WithClientAddress(WithRequestID(ctx, "req_2"), "203.0.113.8")
	if RequestID(within) != "req_2" || ClientAddress(within) != "203.0.113.8" || !IsOperator(within) {
		t.Errorf("%q, %q, %t", RequestID(within), ClientAddress(within), IsOperator(within))
	}
	if RequestID(ctx) != "req_1" || ClientAddress(ctx) != "203.0.113.7" {
		t.Errorf("the original context has %q, %q", RequestID(ctx), ClientAddress(ctx))
	}
	if RequestID(t.Context()) != "" || ClientAddress(t.Context()) != "" {
		t.Error("an empty context contains a request")
	}
}
