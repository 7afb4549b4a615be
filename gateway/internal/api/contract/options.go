package contract

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Field holds the options of a field (vitae.options.v1).
type Field struct {
	// NullClears: in a body, null clears the field.
	NullClears bool
	// OmitEmpty: in an answer, an empty list is left out.
	OmitEmpty bool
	// Required: in a body, the object must have the field.
	Required bool
	// Hidden: requests cannot set the field.
	Hidden bool
	// StatusIfTrue is the status of an answer in which the field is true; 0 for none.
	StatusIfTrue int
	// HeaderIfTrue is a header that an answer has if the field is true; "" for none.
	HeaderIfTrue string
	// Nullable: in an answer, the message or enum may be null.
	Nullable bool
	// Schema is what limits the value beyond its type; never nil.
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
