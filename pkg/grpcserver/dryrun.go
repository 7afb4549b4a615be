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

// completed calls the handler of a dry run and returns the faults that it reports together with the
// faults found by the contract's rules. If the handler could not check the request, for example
// because of an outage, completed returns the handler's error.
func completed(ctx context.Context, faults *fault.List, req any, handler grpc.UnaryHandler) error {
	_, err := handler(ctx, req)
	switch other := faults.Merge(err); errs.KindOf(other) {
	case errs.NotFound, errs.Exists, errs.Precondition, errs.Invalid:
		// The error may be a consequence of the other faults.
	default:
		if other != nil { // the list of faults would be incomplete
			return other
		}
	}
	return faults.Err()
}

// dryRunName is the name of every field that requests a dry run.
const dryRunName protoreflect.Name = "validate_only"

// DryRunFields returns the fields that can request a dry run, in the request and its nested messages
// at any depth.
func DryRunFields(request protoreflect.MessageDescriptor) (dry []protoreflect.FieldDescriptor) {
	walk(request, func(f protoreflect.FieldDescriptor) {
		if asksForDryRun(f) {
			dry = append(dry, f)
		}
	})
	return dry
}

// walk calls visit once for every field of a message and of its nested messages.
func walk(message protoreflect.MessageDescriptor, visit func(protoreflect.FieldDescriptor)) {
	seen := map[protoreflect.FullName]bool{}
	var descend func(protoreflect.MessageDescriptor)
	descend = func(m protoreflect.MessageDescriptor) {
		if seen[m.FullName()] {
			return
		}
		seen[m.FullName()] = true
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			visit(f)
			if f.Message() != nil {
				descend(f.Message())
			}
		}
	}
	descend(message)
}

// checkDryRun returns an error unless the fields with the dry_run option are exactly the fields
// named validate_only. Otherwise, only the handler would know that it must not write. In a unary
// request, the field must be at the top level, where the server looks for it; the handler of a
// stream reads it itself.
func checkDryRun(m protoreflect.MethodDescriptor) (err error) {
	walk(m.Input(), func(f protoreflect.FieldDescriptor) {
		switch dry := asksForDryRun(f); {
		case err != nil:
		case dry != (f.Name() == dryRunName):
			err = fmt.Errorf("grpcserver: field %s must have both the option dry_run and the name %s", f.FullName(), dryRunName)
		case dry && (f.Kind() != protoreflect.BoolKind || f.IsList()):
			err = fmt.Errorf("grpcserver: field %s requests a dry run but is not a bool", f.FullName())
		case dry && !m.IsStreamingClient() && f.Parent() != m.Input():
			err = fmt.Errorf("grpcserver: field %s requests a dry run of %s but is not at the top level", f.FullName(), m.FullName())
		}
	})
	return err
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
