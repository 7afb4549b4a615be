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

// completed adds the faults that the handler of a dry run reports to those of the contract. If the
// handler fails for another reason, it returns that error, because the list would be incomplete.
func completed(ctx context.Context, faults *fault.List, req any, handler grpc.UnaryHandler) error {
	_, err := handler(ctx, req)
	switch other := faults.Merge(err); errs.KindOf(other) {
	case errs.NotFound, errs.Exists, errs.Precondition, errs.Invalid:
		// It may be a consequence of the other faults.
	default:
		if other != nil { // the list would be incomplete
			return other
		}
	}
	return faults.Err()
}

// dryRunName is the name of every field that requests a dry run.
const dryRunName protoreflect.Name = "validate_only"

// DryRunFields returns the fields with which a request can ask for a dry run, including those in its
// messages at any depth.
func DryRunFields(request protoreflect.MessageDescriptor) (dry []protoreflect.FieldDescriptor) {
	walk(request, func(f protoreflect.FieldDescriptor) {
		if asksForDryRun(f) {
			dry = append(dry, f)
		}
	})
	return dry
}

// walk visits every field of a message and of its messages once.
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

// checkDryRun makes sure that a field has the dry_run option if and only if it has its name.
// Otherwise only the handler would know that it must not write. In a unary request, the field must
// be at the top level, where the server looks for it; the handler of a stream reads it itself.
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
