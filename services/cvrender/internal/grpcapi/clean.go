package grpcapi

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/pasted"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// Cleaned returns a copy of a CV with cleaned strings, because the strings that internal teams store have
// not been cleaned.
func Cleaned(m *cvv1.SharedCv) *cvv1.SharedCv {
	m = proto.CloneOf(m)
	clean(m.ProtoReflect())
	return m
}

// clean cleans all strings in a message and its nested messages.
func clean(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, text protoreflect.Value) bool {
				v.Map().Set(k, protoreflect.ValueOfString(pasted.Line(text.String())))
				return true
			})
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				clean(v.List().Get(i).Message())
			}
		case f.IsList() && f.Kind() == protoreflect.StringKind:
			for i := range v.List().Len() {
				v.List().Set(i, protoreflect.ValueOfString(pasted.Text(v.List().Get(i).String())))
			}
		case f.Message() != nil:
			clean(v.Message())
		case f.Kind() == protoreflect.StringKind:
			m.Set(f, protoreflect.ValueOfString(pasted.Text(v.String())))
		}
		return true
	})
}
