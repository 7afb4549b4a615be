package grpcserver

import (
	"context"
	"errors"
	"fmt"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/fault"
)

// checked validates the request, and calls the handler if it is valid or a dry run.
func checked(ctx context.Context, v protovalidate.Validator, req any, handler grpc.UnaryHandler) (any, error) {
	faults, err := validate(v, req)
	if err != nil {
		return nil, err
	}
	broken := faults.Err()
	switch {
	case broken == nil:
		return handler(ctx, req)
	case isDryRun(req):
		return nil, completed(ctx, faults, req, handler)
	default:
		return nil, broken
	}
}

// validate returns the fields of req that violate the contract's rules. It returns an error if a rule
// cannot be evaluated.
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
