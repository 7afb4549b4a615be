package contract

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Field holds the options of a field (vitae.options.v1).
type Field struct {
	// NullClears: in the body of an update, null clears the field.
	NullClears bool
	// NullIsAbsent: in a body, null means that the field is left out.
	NullIsAbsent bool
	// Required: in a body, the object must have the field.
	Required bool
	// Hidden: requests cannot set the field.
	Hidden bool
	// Nullable: in an answer, the message or enum may be null.
	Nullable bool
	// Schema is what limits the value beyond its type; never nil.
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
	f.NullIsAbsent = !f.Required && !f.NullClears && !leavesStand(fd.ContainingMessage())
	return f
}

// merged is the message whose object in a body is merged into the one that is there.
const merged protoreflect.FullName = "vitae.partnercatalog.v1.SocialLinks"

// leavesStand reports whether what a request leaves out of such an object stays as it
// is. There null would be ambiguous (behaviour: requests#null-in-a-body).
func leavesStand(d protoreflect.MessageDescriptor) bool {
	return UpdateMaskOf(d) != nil || d.FullName() == merged
}

// OmittedWhenEmpty is the one list that answers leave out when it is empty: only questions
// with multiple choice have options.
const OmittedWhenEmpty protoreflect.FullName = "vitae.partnercatalog.v1.ScreeningQuestion.options"

const maskName protoreflect.FullName = "google.protobuf.FieldMask"

// UpdateMaskOf returns the field that lists what a request for an update sends, nil
// for a message that is no such request.
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

// TextOf returns the texts of a method for partners; it may be empty.
func TextOf(d protoreflect.MethodDescriptor) *optionsv1.Operation {
	text, _ := proto.GetExtension(d.Options(), optionsv1.E_Operation).(*optionsv1.Operation)
	return text
}

// TagOf returns the heading for the methods of a service; it may be empty.
func TagOf(d protoreflect.ServiceDescriptor) *optionsv1.Tag {
	tag, _ := proto.GetExtension(d.Options(), optionsv1.E_Tag).(*optionsv1.Tag)
	return tag
}

// Unwrapped reports whether a message is written in JSON as the one value that it
// holds.
func Unwrapped(d protoreflect.MessageDescriptor) bool {
	return proto.GetExtension(d.Options(), optionsv1.E_Unwrapped).(bool)
}
