package contract

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Field holds the options of a field (vitae.options.v1).
type Field struct {
	// NullClears means that null in the body of an update clears the field. NullIsAbsent means that null in a
	// body counts as absent.
	NullClears, NullIsAbsent bool
	// Required means that a body must have the field.
	Required bool
	// Hidden means that requests cannot set the field.
	Hidden bool
	// Nullable means that the message or enum may be null in a response.
	Nullable bool
	// Schema holds the constraints on the value beyond its type. It is never nil.
	Schema *optionsv1.Schema
}

// FieldOf reads the options of a field.
func FieldOf(fd protoreflect.FieldDescriptor) Field {
	o := fd.Options()
	f := Field{
		NullClears: proto.GetExtension(o, optionsv1.E_NullClears).(bool),
		Required:   proto.GetExtension(o, optionsv1.E_Required).(bool),
		Hidden:     proto.GetExtension(o, optionsv1.E_Hidden).(bool),
		Nullable:   proto.GetExtension(o, optionsv1.E_Nullable).(bool),
		Schema:     schemaOf(o),
	}
	f.NullIsAbsent = !f.Required && !f.NullClears && !isPartial(fd.ContainingMessage())
	return f
}

// merged is the message type whose JSON object in a body is merged into the existing object.
const merged protoreflect.FullName = "vitae.partnercatalog.v1.SocialLinks"

// isPartial reports whether fields that are absent from such an object keep their values, in which case
// null would be ambiguous (behaviour: requests#null-in-a-body).
func isPartial(d protoreflect.MessageDescriptor) bool {
	return UpdateMaskOf(d) != nil || d.FullName() == merged
}

// OmittedWhenEmpty is the only list that responses omit if it is empty, because only multiple-choice questions
// have options.
const OmittedWhenEmpty protoreflect.FullName = "vitae.partnercatalog.v1.ScreeningQuestion.options"

const maskName protoreflect.FullName = "google.protobuf.FieldMask"

// UpdateMaskOf returns the field mask of an update request, or nil for other messages.
func UpdateMaskOf(d protoreflect.MessageDescriptor) protoreflect.FieldDescriptor {
	for i := range d.Fields().Len() {
		if fd := d.Fields().Get(i); fd.Message() != nil && fd.Message().FullName() == maskName {
			return fd
		}
	}
	return nil
}

func schemaOf(o protoreflect.ProtoMessage) *optionsv1.Schema {
	if s, _ := proto.GetExtension(o, optionsv1.E_Schema).(*optionsv1.Schema); s != nil {
		return s
	}
	return &optionsv1.Schema{}
}

// TextOf returns the summary and description of a method for partners, or nil if it has none.
func TextOf(d protoreflect.MethodDescriptor) *optionsv1.Operation {
	text, _ := proto.GetExtension(d.Options(), optionsv1.E_Operation).(*optionsv1.Operation)
	return text
}

// TagOf returns the heading for the methods of a service, or nil if it has none.
func TagOf(d protoreflect.ServiceDescriptor) *optionsv1.Tag {
	tag, _ := proto.GetExtension(d.Options(), optionsv1.E_Tag).(*optionsv1.Tag)
	return tag
}

// Unwrapped reports whether the JSON form of a message is the value of its only set field.
func Unwrapped(d protoreflect.MessageDescriptor) bool {
	return proto.GetExtension(d.Options(), optionsv1.E_Unwrapped).(bool)
}
