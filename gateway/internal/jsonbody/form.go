package jsonbody

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/jsonread"
)

// Form describes the body of a method.
type Form struct{ root *object }

// object describes the JSON object of a message.
type object struct {
	fields map[string]*field
	// required lists the names of the required fields.
	required []string
	// mask is the field mask that receives the sent fields, or nil if there is none.
	mask protoreflect.FieldDescriptor
}

type field struct {
	desc protoreflect.FieldDescriptor
	// required is the field's index in the required fields of the object, or -1 for an optional field.
	required int
	// takesNull is true if null clears the field or counts as absent.
	takesNull bool
	kind      jsonread.Kind
	words     map[string]protoreflect.EnumNumber // for an enum
	allowed   string                             // the words, for error messages
	object    *object                            // for a message
}

// aWholeNumber describes, in error messages, a number that must be whole.
const aWholeNumber jsonread.Kind = "a whole number"

// NewForm returns the form of a method, built from its contract.
func NewForm(m contract.Method) (*Form, error) {
	c := compiler{done: map[protoreflect.FullName]*object{}}
	root, err := c.object(m.Descriptor.Input(), m.Bound)
	return &Form{root: root}, err
}

type compiler struct {
	done map[protoreflect.FullName]*object
}

func (c compiler) object(d protoreflect.MessageDescriptor, bound func(protoreflect.FieldDescriptor) bool) (*object, error) {
	if o := c.done[d.FullName()]; o != nil {
		return o, nil
	}
	o := &object{fields: map[string]*field{}, mask: contract.UpdateMaskOf(d)}
	c.done[d.FullName()] = o
	for i := range d.Fields().Len() {
		fd := d.Fields().Get(i)
		options := contract.FieldOf(fd)
		if options.Hidden || bound(fd) {
			continue
		}
		f, err := c.field(fd)
		if err != nil {
			return nil, err
		}
		f.takesNull = options.NullClears || options.NullIsAbsent
		f.required = -1
		if options.Required {
			f.required = len(o.required)
			o.required = append(o.required, fd.JSONName())
		}
		o.fields[fd.JSONName()] = f
	}
	return o, nil
}

func (c compiler) field(fd protoreflect.FieldDescriptor) (*field, error) {
	f := &field{desc: fd}
	var err error
	switch {
	case fd.IsMap(), fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic():
		err = fmt.Errorf("jsonbody: %s cannot be read from JSON", fd.FullName())
	case fd.Kind() == protoreflect.StringKind:
		f.kind = jsonread.String
	case fd.Kind() == protoreflect.BoolKind:
		f.kind = jsonread.Boolean
	case fd.Kind() == protoreflect.Int32Kind:
		f.kind = aWholeNumber
	case fd.Kind() == protoreflect.DoubleKind:
		f.kind = jsonread.Number
	case fd.Enum() != nil:
		var words contract.Words
		words, err = contract.WordsOf(fd.Enum())
		f.kind, f.words, f.allowed = jsonread.String, words.Number, strings.Join(words.All, ", ")
	case fd.Message() != nil && !contract.Unwrapped(fd.Message()) && !strings.HasPrefix(string(fd.Message().FullName()), "google."):
		f.kind = jsonread.Object
		f.object, err = c.object(fd.Message(), func(protoreflect.FieldDescriptor) bool { return false })
	default:
		err = fmt.Errorf("jsonbody: %s cannot be read from JSON", fd.FullName())
	}
	return f, err
}

// Decode reads a body into an empty message of the form's type. An update mask receives the names of the sent
// fields in order. Decode returns PUBLIC_API_VALIDATION_ERROR for an invalid body. The message begins with the
// JSON path. Decode reports the first error in the text, and missing fields only if there is no such error.
func (f *Form) Decode(raw []byte, into proto.Message) error {
	r, err := start(raw)
	if err != nil {
		return refusal(err)
	}
	d := decoder{Reader: r}
	if err := d.object(f.root, into.ProtoReflect()); err != nil {
		return refusal(err)
	}
	if err := d.End(); err != nil {
		return refusal(err)
	}
	return d.missed()
}
