package grpcx_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
)

func TestStatusContainsOnlyPublicFields(t *testing.T) {
	kinds := []errs.Kind{errs.Invalid, errs.Unauthenticated, errs.Denied, errs.NotFound, errs.Exists, errs.Precondition, errs.Exhausted, errs.Unavailable}
	violations := []errs.Violation{{Field: "questions[2].prompt", Description: "is required"}, {Field: "b[1]", Description: "must be short"}}
	for _, kind := range kinds {
		sent := errs.New(kind, "SOME_CODE", "Shown to %s.", "the caller").
			WithViolations(violations...).WithRetryAfter(7 * time.Second).WithCause(errors.New("secret cause"))
		overWire := grpcx.ToStatus(fmt.Errorf("wrapped: %w", sent))
		if strings.Contains(fmt.Sprint(overWire, status.Convert(overWire).Proto()), "secret cause") {
			t.Errorf("kind %v: the status contains the cause: %v", kind, overWire)
		}
		got, ok := errs.As(grpcx.FromStatus(overWire))
		if !ok {
			t.Fatalf("kind %v became %v", kind, grpcx.FromStatus(overWire))
		}
		if got.Kind != kind || got.Code != "SOME_CODE" || got.Message != "Shown to the caller." ||
			!slices.Equal(got.Violations, violations) || got.RetryAfter != 7*time.Second {
			t.Errorf("kind %v became %+v", kind, got)
		}
	}
}

func TestUnknownErrorsRevealNothing(t *testing.T) {
	for _, err := range []error{
		errors.New("pq: password authentication failed for 10.0.0.5"),
		errs.New(errs.Internal, "X", "disk /var/lib is full"),
	} {
		s := status.Convert(grpcx.ToStatus(err))
		if s.Code() != codes.Internal || s.Message() != "internal error" || len(s.Details()) != 0 {
			t.Errorf("%v became status %v with details %v", err, s, s.Details())
		}
	}
}

func TestStatusWithoutDetailsIsMappedByCode(t *testing.T) {
	cases := map[codes.Code]errs.Kind{
		codes.Unavailable:       errs.Unavailable,
		codes.DeadlineExceeded:  errs.Unavailable,
		codes.Canceled:          errs.Unavailable,
		codes.ResourceExhausted: errs.Unavailable,
		codes.Unimplemented:     errs.Internal,
		codes.Internal:          errs.Internal,
		codes.DataLoss:          errs.Internal,
		// A NotFound or Unauthenticated without Vitae's details comes from a proxy or a bug. It must
		// not look like a statement about data.
		codes.NotFound:        errs.Internal,
		codes.Unauthenticated: errs.Internal,
	}
	for from, want := range cases {
		got, ok := errs.As(grpcx.FromStatus(status.Error(from, "peer's own words")))
		code := map[errs.Kind]string{errs.Unavailable: "SERVICE_UNAVAILABLE", errs.Internal: "INTERNAL_ERROR"}[want]
		if !ok || got.Kind != want || got.Code != code || strings.Contains(got.Message, "peer") || !strings.Contains(fmt.Sprint(errors.Unwrap(got)), "peer") {
			t.Errorf("%v became %+v, want kind %v, and the peer's message only in its cause", from, got, want)
		}
	}
}

func TestContextErrorsAreMapped(t *testing.T) {
	if c := status.Code(grpcx.ToStatus(context.DeadlineExceeded)); c != codes.DeadlineExceeded {
		t.Errorf("deadline became %v", c)
	}
	if c := status.Code(grpcx.ToStatus(fmt.Errorf("query: %w", context.Canceled))); c != codes.Canceled {
		t.Errorf("cancel became %v", c)
	}
	other := errors.New("no status")
	if err := grpcx.FromStatus(other); !errors.Is(err, other) {
		t.Errorf("an error without a status became %v", err)
	}
	if grpcx.ToStatus(nil) != nil || grpcx.FromStatus(nil) != nil {
		t.Error("nil became an error")
	}
}

func TestReasonFromOtherDomainIsIgnored(t *testing.T) {
	for domain, want := range map[string]string{"vitae": "NOBODY", "googleapis.com": "INTERNAL_ERROR", "": "INTERNAL_ERROR"} {
		sent, err := status.New(codes.NotFound, "peer's own words").WithDetails(&errdetails.ErrorInfo{Reason: "NOBODY", Domain: domain})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := errs.As(grpcx.FromStatus(sent.Err())); !ok || got.Code != want {
			t.Errorf("domain %q: %+v", domain, got)
		}
	}
}
