package grpcx

import (
	"context"
	"errors"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"vitae.internal/pkg/errs"
)

// domain identifies ErrorInfo details that contain Vitae's reason codes.
const domain = "vitae"

var codeOf = map[errs.Kind]codes.Code{
	errs.Internal:        codes.Internal,
	errs.Invalid:         codes.InvalidArgument,
	errs.Unauthenticated: codes.Unauthenticated,
	errs.Denied:          codes.PermissionDenied,
	errs.NotFound:        codes.NotFound,
	errs.Exists:          codes.AlreadyExists,
	errs.Precondition:    codes.FailedPrecondition,
	errs.Exhausted:       codes.ResourceExhausted,
	errs.Unavailable:     codes.Unavailable,
}

var kindOf = func() map[codes.Code]errs.Kind {
	m := map[codes.Code]errs.Kind{codes.DeadlineExceeded: errs.Unavailable, codes.Canceled: errs.Unavailable}
	for k, c := range codeOf {
		m[c] = k
	}
	return m
}()

// ToStatus converts an error to a gRPC status. For an error that is neither an *errs.Error nor a
// status, it sends only a code.
func ToStatus(err error) error {
	e, ok := errs.As(err)
	if !ok {
		switch {
		case err == nil:
			return nil
		case errors.Is(err, context.DeadlineExceeded):
			return status.Error(codes.DeadlineExceeded, "the deadline passed")
		case errors.Is(err, context.Canceled):
			return status.Error(codes.Canceled, "the caller went away")
		}
		if s, isStatus := status.FromError(err); isStatus {
			return s.Err()
		}
		return status.Error(codes.Internal, "internal error")
	}
	if e.Kind == errs.Internal {
		return status.Error(codes.Internal, "internal error")
	}
	s, err := status.New(codeOf[e.Kind], e.Message).WithDetails(detailsOf(e)...)
	if err != nil {
		return status.Error(codes.Internal, "internal error")
	}
	return s.Err()
}

// detailsOf returns the details of a status: the reason code, the invalid fields, and the retry
// delay.
func detailsOf(e *errs.Error) []protoadapt.MessageV1 {
	details := []protoadapt.MessageV1{&errdetails.ErrorInfo{Reason: e.Code, Domain: domain}}
	if len(e.Violations) > 0 {
		bad := &errdetails.BadRequest{}
		for _, v := range e.Violations {
			bad.FieldViolations = append(bad.FieldViolations,
				&errdetails.BadRequest_FieldViolation{Field: v.Field, Description: v.Description})
		}
		details = append(details, bad)
	}
	if e.RetryAfter > 0 {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(e.RetryAfter)})
	}
	return details
}

// FromStatus converts the error returned by a call to an *errs.Error. A status without Vitae's
// details is converted according to its code, and its message is not used.
func FromStatus(err error) error {
	if err == nil {
		return nil
	}
	s, ok := status.FromError(err)
	if !ok {
		return err
	}
	kind, known := kindOf[s.Code()]
	if !known {
		kind = errs.Internal
	}
	if e := fromDetails(kind, s); e != nil {
		return e
	}
	switch kind {
	case errs.Unavailable, errs.Exhausted:
		return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").WithCause(err)
	default:
		return errs.New(errs.Internal, "INTERNAL_ERROR", "Internal error.").WithCause(err)
	}
}

// fromDetails converts a status with Vitae's details. It returns nil if the status has none.
func fromDetails(kind errs.Kind, s *status.Status) *errs.Error {
	var e *errs.Error
	var violations []errs.Violation
	var wait time.Duration
	for _, d := range s.Details() {
		switch detail := d.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == domain {
				e = errs.New(kind, detail.GetReason(), "%s", s.Message())
			}
		case *errdetails.BadRequest:
			for _, v := range detail.GetFieldViolations() {
				violations = append(violations, errs.Violation{Field: v.GetField(), Description: v.GetDescription()})
			}
		case *errdetails.RetryInfo:
			wait = detail.GetRetryDelay().AsDuration()
		}
	}
	if e == nil {
		return nil
	}
	if violations != nil {
		e = e.WithViolations(violations...)
	}
	return e.WithRetryAfter(wait)
}
