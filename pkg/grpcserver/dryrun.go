package grpcserver

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// completed adds the faults that the handler of a dry run finds to those of the
// .proto, and gives all of them. A handler that cannot say (a database that is down)
// fails the dry run: its list would look complete.
func completed(ctx context.Context, faults *fault.List, req any, handler grpc.UnaryHandler) error {
	_, err := handler(ctx, req)
	switch other := faults.Merge(err); errs.KindOf(other) {
	case errs.NotFound, errs.Exists, errs.Precondition, errs.Invalid:
		// It may only follow from the broken rule.
	default:
		if other != nil { // the list would be incomplete
			return other
		}
	}
	return faults.Err()
}

// dryRunName is the name of every field that asks for a dry run.
const dryRunName protoreflect.Name = "validate_only"

// checkDryRun holds the name and the dry_run option of a request's fields together.
// Without the option, a field that promises to write nothing would be one that only
// its handler knows of.
func checkDryRun(request protoreflect.MessageDescriptor) error {
	fields := request.Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if asksForDryRun(f) != (f.Name() == dryRunName) {
			return fmt.Errorf("grpcserver: field %s: the option dry_run and the name %s belong together", f.FullName(), dryRunName)
		}
		if asksForDryRun(f) && (f.Kind() != protoreflect.BoolKind || f.IsList()) {
			return fmt.Errorf("grpcserver: field %s asks for a dry run and is no bool", f.FullName())
		}
	}
	return nil
}

func asksForDryRun(f protoreflect.FieldDescriptor) bool {
	dry, _ := proto.GetExtension(f.Options(), optionsv1.E_DryRun).(bool)
	return dry
}

func isDryRun(req any) bool {
	msg, ok := req.(proto.Message)
	if !ok {
		return false
	}
	m := msg.ProtoReflect()
	f := m.Descriptor().Fields().ByName(dryRunName)
	return f != nil && asksForDryRun(f) && m.Get(f).Bool()
}
