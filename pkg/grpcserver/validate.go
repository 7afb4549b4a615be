package grpcserver

import (
	"context"
	"errors"
	"fmt"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// checked calls the handler with a request that keeps the rules of the .proto.
//
// A dry run (validate_only) writes nothing, and is there to find every fault of a
// request. So its handler runs even if a rule is broken, and adds its own faults to
// those of the .proto. A handler that cannot say (a database that is down) fails the
// dry run: its list would look complete.
func checked(ctx context.Context, v protovalidate.Validator, req any, handler grpc.UnaryHandler) (any, error) {
	faults, err := validate(v, req)
	if err != nil {
		return nil, err
	}
	broken := faults.Err()
	if broken == nil || !isDryRun(req) {
		if broken != nil {
			return nil, broken
		}
		return handler(ctx, req)
	}
	_, err = handler(ctx, req)
	switch other := faults.Merge(err); errs.KindOf(other) {
	case errs.NotFound, errs.Exists, errs.Precondition, errs.Invalid:
		// It may only follow from the broken rule.
	default:
		if other != nil { // the list would be incomplete
			return nil, other
		}
	}
	return nil, faults.Err()
}

// validateOnly names the field by which a request asks for a dry run.
const validateOnly protoreflect.Name = "validate_only"

func isDryRun(req any) bool {
	msg, ok := req.(proto.Message)
	if !ok {
		return false
	}
	m := msg.ProtoReflect()
	fd := m.Descriptor().Fields().ByName(validateOnly)
	return fd != nil && fd.Kind() == protoreflect.BoolKind && !fd.IsList() && m.Get(fd).Bool()
}

// validate gives the fields of req that break a rule of the .proto. The error is
// for rules that cannot be evaluated.
func validate(v protovalidate.Validator, req any) (*fault.List, error) {
	faults := fault.Argument()
	msg, ok := req.(proto.Message)
	if !ok {
		return faults, nil
	}
	err := v.Validate(msg)
	if err == nil {
		return faults, nil
	}
	var invalid *protovalidate.ValidationError
	if !errors.As(err, &invalid) || len(invalid.Violations) == 0 {
		return nil, fmt.Errorf("grpcserver: validate: %w", err)
	}
	for _, violation := range invalid.Violations {
		faults.Add(protovalidate.FieldPathString(violation.Proto.GetField()), "%s", violation.Proto.GetMessage())
	}
	return faults, nil
}
