package app_test

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/contract"
)

// filled returns a copy of a message in which every field has a value. If bare is set, only required
// fields do.
func filled(m proto.Message, bare bool) proto.Message {
	if m == nil {
		return nil
	}
	out := proto.Clone(m)
	fill(out.ProtoReflect(), bare)
	return out
}

func fill(m protoreflect.Message, bare bool) {
	if ts, isTime := m.Interface().(*timestamppb.Timestamp); isTime {
		proto.Merge(ts, timestamppb.New(time.Date(2026, 3, 4, 5, 6, 7, 8_000_000, time.UTC)))
		return
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic() && fd.ContainingOneof().Fields().Get(0) != fd {
			continue
		}
		if !bare || needed(fd) {
			put(m, fd, bare)
		}
	}
}

// needed reports whether a field is never null or omitted in responses.
func needed(fd protoreflect.FieldDescriptor) bool {
	wrapper := fd.Message() != nil && fd.Message().ParentFile().Path() == "google/protobuf/wrappers.proto"
	return !fd.IsList() && !fd.IsMap() && !fd.HasOptionalKeyword() && !contract.FieldOf(fd).Nullable && !wrapper && fd.Kind() != protoreflect.BoolKind
}

func put(m protoreflect.Message, fd protoreflect.FieldDescriptor, bare bool) {
	switch {
	case fd.IsMap():
		m.Mutable(fd).Map().Set(protoreflect.ValueOfString("linkedin").MapKey(), protoreflect.ValueOfString("https://linkedin.com/in/layla"))
	case fd.IsList() && fd.Message() != nil:
		fill(m.Mutable(fd).List().AppendMutable().Message(), bare)
	case fd.IsList():
		m.Mutable(fd).List().Append(scalar(fd, fd))
	case fd.Message() != nil && fd.Message().ParentFile().Path() == "google/protobuf/wrappers.proto":
		value := fd.Message().Fields().ByName("value")
		m.Mutable(fd).Message().Set(value, scalar(value, fd))
	case fd.Message() != nil:
		fill(m.Mutable(fd).Message(), bare)
	default:
		m.Set(fd, scalar(fd, fd))
	}
}

// scalar returns a value for a field, within the limits in the contract.
func scalar(fd, says protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(1)
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(1)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(1.5)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(text(says))
	default:
		panic(fmt.Sprint("no value for ", fd.FullName()))
	}
}

func text(fd protoreflect.FieldDescriptor) string {
	schema := contract.FieldOf(fd).Schema
	switch {
	case len(schema.GetEnum()) > 0:
		return schema.GetEnum()[0]
	case schema.GetFormat() == "email":
		return "layla@example.ae"
	case schema.GetFormat() == "uri", schema.GetFormat() == "iri":
		return "https://example.ae/a"
	case schema.GetFormat() == "date", schema.GetPattern() != "":
		return "2026-03-04"
	default:
		return "نص text"
	}
}
