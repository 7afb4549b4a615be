package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/vocabulary"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// WordOf returns the word for an enum value, or "" for the unspecified value.
func WordOf(e protoreflect.Enum) string {
	for word, number := range vocabulary.Words(e.Descriptor()) {
		if number == e.Number() {
			return word
		}
	}
	return ""
}

// Word returns the enum value for a word and reports whether there is one.
func Word[E protoreflect.Enum](word string) (value E, ok bool) {
	number, ok := vocabulary.Words(value.Descriptor())[word]
	return value.Type().New(number).(E), ok
}

// enum reads an enum word. It accepts the words of notOffered, but does not list them in the error message.
func enum(
	path string, v any, e protoreflect.EnumDescriptor, faults *Faults, notOffered ...protoreflect.EnumNumber,
) (protoreflect.EnumNumber, bool) {
	word, ok := v.(string)
	if !ok {
		faults.Add(path, "must be a string, not "+kind(v))
		return 0, false
	}
	number, ok := vocabulary.Words(e)[word]
	if !ok {
		faults.Add(path, "must be "+inOrder(e, notOffered))
	}
	return number, ok
}

// inOrder lists the words of an enum, except those in but, in the order of their values.
func inOrder(e protoreflect.EnumDescriptor, but []protoreflect.EnumNumber) string {
	known := vocabulary.Words(e)
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
		faults.Add(path, "is out of range")
	}
	return f
}

// isUnwrapped reports whether the JSON form of a message is the value of the only field that is set.
func isUnwrapped(m protoreflect.MessageDescriptor) bool {
	return proto.GetExtension(m.Options(), optionsv1.E_Unwrapped).(bool)
}

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

func isRequired(f protoreflect.FieldDescriptor) bool {
	return proto.GetExtension(f.Options(), optionsv1.E_Required).(bool)
}
