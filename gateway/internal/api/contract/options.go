package contract

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Field is what the options of a field say (vitae.options.v1).
type Field struct {
	// NullClears: in a body, null clears the field.
	NullClears bool
	// OmitEmpty: in an answer, the list is left out when it is empty.
	OmitEmpty bool
	// Required: in a body, the object that holds the field must have it.
	Required bool
	// Hidden: no request sets it.
	Hidden bool
	// StatusIfTrue is the status of an answer in which the field is true; 0 for none.
	StatusIfTrue int
	// HeaderIfTrue is the header of an answer in which the field is true.
	HeaderIfTrue string
	// Nullable: in an answer, the message or enum may be null.
	Nullable bool
	// Schema is what the JSON may hold beyond the type; never nil.
	Schema *optionsv1.Schema
}

// FieldOf reads the options of a field.
func FieldOf(fd protoreflect.FieldDescriptor) Field {
	o := fd.Options()
	return Field{
		NullClears:   proto.GetExtension(o, optionsv1.E_NullClears).(bool),
		OmitEmpty:    proto.GetExtension(o, optionsv1.E_OmitEmpty).(bool),
		Required:     proto.GetExtension(o, optionsv1.E_Required).(bool),
		Hidden:       proto.GetExtension(o, optionsv1.E_Hidden).(bool),
		StatusIfTrue: int(proto.GetExtension(o, optionsv1.E_StatusIfTrue).(int32)),
		HeaderIfTrue: proto.GetExtension(o, optionsv1.E_HeaderIfTrue).(string),
		Nullable:     proto.GetExtension(o, optionsv1.E_Nullable).(bool),
		Schema:       schemaOf(o),
	}
}

func schemaOf(o protoreflect.ProtoMessage) *optionsv1.Schema {
	if s, _ := proto.GetExtension(o, optionsv1.E_Schema).(*optionsv1.Schema); s != nil {
		return s
	}
	return &optionsv1.Schema{}
}

// TextOf gives what partners read of a method; it may be empty.
func TextOf(d protoreflect.MethodDescriptor) *optionsv1.Operation {
	text, _ := proto.GetExtension(d.Options(), optionsv1.E_Operation).(*optionsv1.Operation)
	return text
}

// TagOf gives the heading under which partners find the methods of a service, empty
// if it has none.
func TagOf(d protoreflect.ServiceDescriptor) *optionsv1.Tag {
	tag, _ := proto.GetExtension(d.Options(), optionsv1.E_Tag).(*optionsv1.Tag)
	return tag
}

// Unwrapped reports whether a message is, in JSON, the one value that it holds.
func Unwrapped(d protoreflect.MessageDescriptor) bool {
	return proto.GetExtension(d.Options(), optionsv1.E_Unwrapped).(bool)
}
