package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// words gives the values of an enum by their words in JSON: the name without the
// prefix of the enum, in lower case (vitae/options/v1). The value that says
// nothing has none.
func words(e protoreflect.EnumDescriptor) map[string]protoreflect.EnumNumber {
	prefix := strings.TrimSuffix(string(e.Values().ByNumber(0).Name()), "UNSPECIFIED")
	out := map[string]protoreflect.EnumNumber{}
	for i := range e.Values().Len() {
		if v := e.Values().Get(i); v.Number() != 0 {
			out[strings.ToLower(strings.TrimPrefix(string(v.Name()), prefix))] = v.Number()
		}
	}
	return out
}

// WordOf is the word of a value, empty for the one that says nothing.
func WordOf(e protoreflect.Enum) string {
	for word, number := range words(e.Descriptor()) {
		if number == e.Number() {
			return word
		}
	}
	return ""
}

// Word gives the value of an enum that the word stands for.
func Word[E protoreflect.Enum](word string) (value E, ok bool) {
	number, ok := words(value.Descriptor())[word]
	return value.Type().New(number).(E), ok
}

// enum reads a word of an enum. Words of notOffered are read too, but a fault does
// not propose them.
func enum(
	path string, v any, e protoreflect.EnumDescriptor, faults *Faults, notOffered ...protoreflect.EnumNumber,
) (protoreflect.EnumNumber, bool) {
	word, ok := v.(string)
	if !ok {
		faults.Add(path, "must be a string, not "+kind(v))
		return 0, false
	}
	number, ok := words(e)[word]
	if !ok {
		faults.Add(path, "must be "+inOrder(e, notOffered))
	}
	return number, ok
}

// inOrder lists the words of an enum as the contract orders them.
func inOrder(e protoreflect.EnumDescriptor, but []protoreflect.EnumNumber) string {
	known := words(e)
	list := make([]string, 0, len(known))
	for word, number := range known {
		if !slices.Contains(but, number) {
			list = append(list, word)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return int(known[a] - known[b]) })
	for i := range list {
		list[i] = strconv.Quote(list[i])
	}
	return strings.Join(list, " or ")
}

func double(path string, v any, faults *Faults) float64 {
	number, ok := v.(json.Number)
	if !ok {
		faults.Add(path, "must be a number, not "+kind(v))
		return 0
	}
	f, err := number.Float64()
	if err != nil {
		faults.Add(path, "is a number out of range")
	}
	return f
}

// isUnwrapped reports whether the value of a message is that of its one set
// field, not an object.
func isUnwrapped(m protoreflect.MessageDescriptor) bool {
	return proto.GetExtension(m.Options(), optionsv1.E_Unwrapped).(bool)
}

// unwrapped sets the field of m that is of the value's type.
func unwrapped(path string, v any, m protoreflect.Message, faults *Faults) bool {
	kinds := map[string]protoreflect.Kind{"a string": protoreflect.StringKind, "a number": protoreflect.DoubleKind, "true or false": protoreflect.BoolKind}
	fields := m.Descriptor().Fields()
	var takes []string
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Kind() == kinds[kind(v)] {
			value, ok := single(path, v, f, m.NewField(f), faults)
			m.Set(f, value)
			return ok
		}
		for name, k := range kinds {
			if f.Kind() == k {
				takes = append(takes, name)
			}
		}
	}
	faults.Add(path, fmt.Sprintf("must be %s, not %s", strings.Join(takes, ", "), kind(v)))
	return false
}

// isRequired reports whether the object that holds the field must have it.
func isRequired(f protoreflect.FieldDescriptor) bool {
	return proto.GetExtension(f.Options(), optionsv1.E_Required).(bool)
}
