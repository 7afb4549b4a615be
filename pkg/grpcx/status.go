package grpcx

import (
	"context"
	"errors"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"vitae.internal/pkg/errs"
)

// domain marks the ErrorInfo details that carry our reason codes.
const domain = "vitae"

// fieldKey names the offending field in the metadata of an ErrorInfo.
const fieldKey = "field"

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

// ToStatus turns an error of the domain into a gRPC status. Of an error that is
// not an *errs.Error nothing but its kind leaves the process.
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
	info := &errdetails.ErrorInfo{Reason: e.Code, Domain: domain}
	if e.Field != "" {
		info.Metadata = map[string]string{fieldKey: e.Field}
	}
	s, detailErr := status.New(codeOf[e.Kind], e.Message).WithDetails(info)
	if detailErr == nil && e.RetryAfter > 0 {
		s, detailErr = s.WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(e.RetryAfter)})
	}
	if detailErr != nil {
		return status.Error(codes.Internal, "internal error")
	}
	return s.Err()
}

// FromStatus turns what a call returned back into an error of the domain. A
// status without our details becomes the kind that its code stands for, with no
// message of the peer's.
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
	for _, d := range s.Details() {
		if info, isInfo := d.(*errdetails.ErrorInfo); isInfo && info.GetDomain() == domain {
			e := errs.New(kind, info.GetReason(), "%s", s.Message())
			return e.WithField(info.GetMetadata()[fieldKey]).WithRetryAfter(retryDelay(s))
		}
	}
	switch kind {
	case errs.Unavailable, errs.Exhausted:
		return errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.").WithCause(err)
	default:
		return errs.New(errs.Internal, "INTERNAL_ERROR", "Internal error.").WithCause(err)
	}
}

func retryDelay(s *status.Status) time.Duration {
	for _, d := range s.Details() {
		if r, ok := d.(*errdetails.RetryInfo); ok {
			return r.GetRetryDelay().AsDuration()
		}
	}
	return 0
}
