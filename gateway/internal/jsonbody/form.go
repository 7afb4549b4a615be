package jsonbody

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
)

// Form describes the body of a method.
type Form struct{ root *object }

// object describes the JSON object of a message.
type object struct {
	fields   map[string]*field
	required []*field
	// mask is the field mask that lists the fields that were sent; nil if there is
	// none.
	mask protoreflect.FieldDescriptor
}

type field struct {
	desc protoreflect.FieldDescriptor
	name string // in JSON
	// takesNull is true where null clears the field or means that it is left out.
	takesNull bool
	kind      kind
	words     map[string]protoreflect.EnumNumber // of an enum
	allowed   string                             // the words, for error messages
	object    *object                            // of a message
}

// kind is a JSON type, as error messages name it.
type kind string

const (
	aString  kind = "a string"
	aNumber  kind = "a number"
	anInt    kind = "a whole number"
	aBoolean kind = "a boolean"
	anObject kind = "an object"
	anArray  kind = "an array"
	aNull    kind = "null"
)

// NewForm makes the form of a method from its contract.
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
		o.fields[f.name] = f
		if options.Required {
			o.required = append(o.required, f)
		}
	}
	return o, nil
}

func (c compiler) field(fd protoreflect.FieldDescriptor) (*field, error) {
	f := &field{desc: fd, name: fd.JSONName()}
	var err error
	switch {
	case fd.IsMap(), fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic():
		err = fmt.Errorf("jsonbody: %s has no form in a body", fd.FullName())
	case fd.Kind() == protoreflect.StringKind:
		f.kind = aString
	case fd.Kind() == protoreflect.BoolKind:
		f.kind = aBoolean
	case fd.Kind() == protoreflect.Int32Kind:
		f.kind = anInt
	case fd.Kind() == protoreflect.DoubleKind:
		f.kind = aNumber
	case fd.Enum() != nil:
		var words contract.Words
		words, err = contract.WordsOf(fd.Enum())
		f.kind, f.words, f.allowed = aString, words.Number, strings.Join(words.All, ", ")
	case fd.Message() != nil && !contract.Unwrapped(fd.Message()) && !strings.HasPrefix(string(fd.Message().FullName()), "google."):
		f.kind = anObject
		f.object, err = c.object(fd.Message(), func(protoreflect.FieldDescriptor) bool { return false })
	default:
		err = fmt.Errorf("jsonbody: %s has no form in a body", fd.FullName())
	}
	return f, err
}

// Decode reads a body into an empty message of the form's type. An update mask gets
// the names of the fields that were sent, in their order. Errors: INVALID_ARGUMENT
// PUBLIC_API_VALIDATION_ERROR; the message begins with the JSON path. Of several
// faults the first in the text is reported; a missing field is reported only if
// there is no other fault.
func (f *Form) Decode(raw []byte, into proto.Message) error {
	d := decoder{raw: raw}
	if d.space(); d.pos == len(raw) {
		return d.fault("must not be empty")
	}
	if k := d.kind(); k != anObject {
		return d.wrongKind(anObject, k)
	}
	if err := d.object(f.root, into.ProtoReflect()); err != nil {
		return err
	}
	if d.space(); d.pos != len(raw) {
		return d.malformed()
	}
	return d.missed()
}
