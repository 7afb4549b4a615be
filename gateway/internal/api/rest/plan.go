package rest

import (
	"fmt"
	"maps"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
)

// plan describes how messages of one type are printed. It is built only once from the descriptor. Like a
// message type, it can contain itself.
type plan struct {
	form   form
	fields []fieldPlan // for an object or an unwrapped message
	scalar fieldPlan   // for a wrapper
}

// form is the JSON form of a message.
type form int

const (
	object form = iota
	timestamp
	wrapper   // a nullable scalar
	unwrapped // the value of the one field that is set
)

type fieldPlan struct {
	desc protoreflect.FieldDescriptor
	// key is the quoted name followed by a colon.
	key []byte
	// unset determines how an unset field with presence is printed.
	unset unset
	// omitEmpty omits an empty list.
	omitEmpty bool
	// words maps the numbers of an enum to quoted words. Nil means that there is no word.
	words [][]byte
	// message is the plan for a message, or for the messages in a list or map.
	message *plan
	// value is the plan for the values of a map.
	value *fieldPlan
}

type unset int

const (
	printed unset = iota // the field has no presence and is always printed
	null
	absent
)

const (
	timestampName protoreflect.FullName = "google.protobuf.Timestamp"
	wrapperValue  protoreflect.Name     = "value"
)

// wrappers lists the message types for nullable scalars.
var wrappers = map[protoreflect.FullName]bool{
	"google.protobuf.BoolValue":   true,
	"google.protobuf.DoubleValue": true,
	"google.protobuf.Int32Value":  true,
	"google.protobuf.StringValue": true,
}

// plans caches plans by message type.
var plans = struct {
	sync.Mutex
	of map[protoreflect.FullName]*plan
}{of: map[protoreflect.FullName]*plan{}}

// planOf returns the plan for a message type, or an error if a field has no JSON form.
func planOf(d protoreflect.MessageDescriptor) (*plan, error) {
	plans.Lock()
	defer plans.Unlock()
	made := map[protoreflect.FullName]*plan{}
	p, err := makePlan(d, made)
	if err != nil {
		return nil, err
	}
	maps.Copy(plans.of, made)
	return p, nil
}

// planOfField returns the plan for a single field.
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
		unset: unsetOf(fd), omitEmpty: fd.FullName() == contract.OmittedWhenEmpty,
	}
	var err error
	switch {
	case fd.IsMap():
		if fd.MapKey().Kind() != protoreflect.StringKind {
			return f, fmt.Errorf("rest: %s: only string keys have a JSON form", fd.FullName())
		}
		var value fieldPlan
		value, err = makeField(fd.MapValue(), made)
		f.value = &value
	case fd.Enum() != nil:
		f.words, err = quotedWords(fd.Enum())
	case fd.Message() != nil:
		f.message, err = makePlan(fd.Message(), made)
	case !scalars[fd.Kind()]:
		// JavaScript would lose digits of 64-bit integers, and bytes have no JSON form.
		err = fmt.Errorf("rest: %s: kind %s has no JSON form", fd.FullName(), fd.Kind())
	}
	return f, err
}

// unsetOf determines how an unset field is printed, according to the conventions of vitae.cv.v1.
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

// scalars lists the scalar kinds that have a JSON form.
var scalars = map[protoreflect.Kind]bool{
	protoreflect.StringKind: true, protoreflect.BoolKind: true, protoreflect.DoubleKind: true, protoreflect.Int32Kind: true,
}
