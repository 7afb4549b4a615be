package rest

import (
	"fmt"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/api/contract"
)

// plan is how messages of one type are printed, read from the type's descriptor
// once. A plan may hold itself: messages may.
type plan struct {
	form   form
	fields []fieldPlan // of an object and of an unwrapped message
	scalar fieldPlan   // of a wrapper
}

// form is what a message is in JSON.
type form int

const (
	object form = iota
	timestamp
	wrapper   // a nullable scalar
	unwrapped // the value of the one field that is set
)

type fieldPlan struct {
	desc protoreflect.FieldDescriptor
	// key is the quoted name with its colon.
	key []byte
	// unset is what is printed in place of an unset field with presence.
	unset unset
	// omitEmpty leaves an empty list out.
	omitEmpty bool
	// words are the quoted words of an enum, by number; nil has none.
	words [][]byte
	// message is the plan of a message, or of a list's or map's messages.
	message *plan
	// value is how a map's values are printed.
	value *fieldPlan
}

type unset int

const (
	printed unset = iota // the field has no presence
	null
	absent
)

const (
	timestampName protoreflect.FullName = "google.protobuf.Timestamp"
	wrapperValue  protoreflect.Name     = "value"
)

// wrappers are the messages that stand for a nullable scalar.
var wrappers = map[protoreflect.FullName]bool{
	"google.protobuf.BoolValue":   true,
	"google.protobuf.DoubleValue": true,
	"google.protobuf.Int32Value":  true,
	"google.protobuf.StringValue": true,
	"google.protobuf.UInt32Value": true,
}

// plans holds the plans of all message types that were asked for.
var plans = struct {
	sync.Mutex
	of map[protoreflect.FullName]*plan
}{of: map[protoreflect.FullName]*plan{}}

// planOf gives the plan of a message type. It is an error if the type holds what
// has no place in the public JSON.
func planOf(d protoreflect.MessageDescriptor) (*plan, error) {
	plans.Lock()
	defer plans.Unlock()
	made := map[protoreflect.FullName]*plan{}
	p, err := makePlan(d, made)
	if err != nil {
		return nil, err
	}
	for name, one := range made {
		plans.of[name] = one
	}
	return p, nil
}

// planOfField gives the plan of a field as if it stood alone.
func planOfField(fd protoreflect.FieldDescriptor) (*fieldPlan, error) {
	p, err := planOf(fd.ContainingMessage())
	if err != nil {
		return nil, err
	}
	return &p.fields[fd.Index()], nil
}

func makePlan(d protoreflect.MessageDescriptor, made map[protoreflect.FullName]*plan) (*plan, error) {
	name := d.FullName()
	if p := plans.of[name]; p != nil {
		return p, nil
	}
	if p := made[name]; p != nil {
		return p, nil
	}
	p := &plan{}
	made[name] = p
	switch {
	case name == timestampName:
		p.form = timestamp
		return p, nil
	case wrappers[name]:
		p.form = wrapper
		var err error
		p.scalar, err = makeField(d.Fields().ByName(wrapperValue), made)
		return p, err
	case contract.Unwrapped(d):
		p.form = unwrapped
	}
	for i := range d.Fields().Len() {
		f, err := makeField(d.Fields().Get(i), made)
		if err != nil {
			return nil, err
		}
		p.fields = append(p.fields, f)
	}
	return p, nil
}

func makeField(fd protoreflect.FieldDescriptor, made map[protoreflect.FullName]*plan) (fieldPlan, error) {
	f := fieldPlan{
		desc: fd, key: append(appendString(nil, fd.JSONName()), ':'),
		unset: unsetOf(fd), omitEmpty: contract.FieldOf(fd).OmitEmpty,
	}
	var err error
	switch {
	case fd.IsMap():
		if fd.MapKey().Kind() != protoreflect.StringKind {
			return f, fmt.Errorf("rest: %s: only string keys have a place in JSON", fd.FullName())
		}
		var value fieldPlan
		value, err = makeField(fd.MapValue(), made)
		f.value = &value
	case fd.Enum() != nil:
		f.words, err = quotedWords(fd.Enum())
	case fd.Message() != nil:
		f.message, err = makePlan(fd.Message(), made)
	case !scalars[fd.Kind()]:
		// 64-bit integers lose digits in JavaScript, and bytes have no form that the
		// specification uses.
		err = fmt.Errorf("rest: %s: kind %s has no place in the public JSON", fd.FullName(), fd.Kind())
	}
	return f, err
}

// unsetOf says what an unset field is by the conventions of package vitae.cv.v1.
func unsetOf(fd protoreflect.FieldDescriptor) unset {
	switch {
	case !fd.HasPresence():
		return printed
	case fd.HasOptionalKeyword() || fd.ContainingOneof() != nil || fd.Message() == nil:
		return absent
	default:
		return null
	}
}

func quotedWords(d protoreflect.EnumDescriptor) ([][]byte, error) {
	words, err := contract.WordsOf(d)
	if err != nil {
		return nil, err
	}
	var quoted [][]byte
	for word, n := range words.Number {
		if n < 0 || n > 1000 {
			return nil, fmt.Errorf("rest: %s: the number %d is out of bounds", d.FullName(), n)
		}
		for int(n) >= len(quoted) {
			quoted = append(quoted, nil)
		}
		quoted[n] = appendString(nil, word)
	}
	return quoted, nil
}

// scalars are the kinds that have a place in the public JSON.
var scalars = map[protoreflect.Kind]bool{
	protoreflect.StringKind: true, protoreflect.BoolKind: true, protoreflect.DoubleKind: true,
	protoreflect.Int32Kind: true, protoreflect.Sint32Kind: true, protoreflect.Sfixed32Kind: true,
	protoreflect.Uint32Kind: true, protoreflect.Fixed32Kind: true,
}
