package world

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// fill sets the fields of m from the JSON object v, by their JSON names. Only the .proto files define the
// fields, so files can use new fields without changes to this package.
func fill(path string, v any, m protoreflect.Message, faults *Faults) {
	o, ok := v.(*object)
	if !ok {
		faults.Add(path, "must be an object, not "+kind(v))
		return
	}
	fillExcept(path, o, m, nil, faults)
}

// fillExcept is like fill, but rejects the fields in hidden, which files cannot set.
func fillExcept(path string, o *object, m protoreflect.Message, hidden []string, faults *Faults) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if f := fields.Get(i); isRequired(f) && o.fields[f.JSONName()] == nil {
			faults.Add(Child(path, f.JSONName()), "is required")
		}
	}
	for _, key := range o.keys {
		at, value := Child(path, key), o.fields[key]
		field := fields.ByJSONName(key)
		switch {
		case field == nil || slices.Contains(hidden, key):
			faults.Add(at, "is not a field of this object")
		case value == nil: // null counts as absent
		case field.IsMap():
			fillMap(at, value, m.Mutable(field).Map(), faults)
		case field.IsList():
			fillList(at, value, m.Mutable(field).List(), field, faults)
		default:
			if x, ok := single(at, value, field, m.NewField(field), faults); ok {
				m.Set(field, x)
			}
		}
	}
}

func fillList(path string, v any, list protoreflect.List, field protoreflect.FieldDescriptor, faults *Faults) {
	for i, item := range array(path, v, faults) {
		// An invalid element keeps its position, so the indexes of later elements stay correct.
		x, ok := single(Index(path, i), item, field, list.NewElement(), faults)
		if !ok {
			x = list.NewElement()
		}
		list.Append(x)
	}
}

func fillMap(path string, v any, into protoreflect.Map, faults *Faults) {
	o, ok := v.(*object)
	if !ok {
		faults.Add(path, "must be an object, not "+kind(v))
		return
	}
	for _, key := range o.keys {
		at := Child(path, key)
		if strings.ContainsRune(key, 0) {
			faults.Add(at, "must not contain a NUL character")
			continue
		}
		if value := o.fields[key]; value != nil {
			into.Set(protoreflect.ValueOfString(key).MapKey(), protoreflect.ValueOfString(text(at, value, faults)))
		}
	}
}

// single reads a singular value: a string, number, boolean, enum word, wrapped string or message. empty is a
// new, empty value of the field.
func single(path string, v any, field protoreflect.FieldDescriptor, empty protoreflect.Value, faults *Faults) (protoreflect.Value, bool) {
	before := len(faults.list)
	out := empty
	switch field.Kind() {
	case protoreflect.StringKind:
		out = protoreflect.ValueOfString(element(path, v, faults))
	case protoreflect.BoolKind:
		out = protoreflect.ValueOfBool(truth(path, v, faults))
	case protoreflect.Int32Kind:
		out = protoreflect.ValueOfInt32(integer(path, v, faults))
	case protoreflect.DoubleKind:
		out = protoreflect.ValueOfFloat64(double(path, v, faults))
	case protoreflect.EnumKind:
		number, _ := enum(path, v, field.Enum(), faults)
		out = protoreflect.ValueOfEnum(number)
	case protoreflect.MessageKind:
		if field.Message().FullName() == "google.protobuf.StringValue" {
			inner := field.Message().Fields().ByName("value")
			empty.Message().Set(inner, protoreflect.ValueOfString(text(path, v, faults)))
		} else {
			fill(path, v, empty.Message(), faults)
			return out, true // the services check the valid fields
		}
	default:
		faults.Add(path, "is not supported in world files")
	}
	return out, len(faults.list) == before
}

// text reads a string. It returns "" for null.
func text(path string, v any, faults *Faults) string {
	if v == nil {
		return ""
	}
	return element(path, v, faults)
}

// element reads a string in a list. It reports null as an error.
func element(path string, v any, faults *Faults) string {
	s, ok := v.(string)
	switch {
	case !ok:
		faults.Add(path, "must be a string, not "+kind(v))
	case strings.ContainsRune(s, 0):
		faults.Add(path, "must not contain a NUL character")
		return ""
	}
	return s
}

func truth(path string, v any, faults *Faults) bool {
	b, ok := v.(bool)
	if !ok && v != nil {
		faults.Add(path, "must be true or false, not "+kind(v))
	}
	return b
}

func integer(path string, v any, faults *Faults) int32 {
	number, ok := v.(json.Number)
	if !ok {
		faults.Add(path, "must be a number, not "+kind(v))
		return 0
	}
	i, err := strconv.ParseInt(number.String(), 10, 32)
	if err != nil {
		faults.Add(path, "must be a whole number below 2147483648")
	}
	return int32(i)
}

func array(path string, v any, faults *Faults) []any {
	list, ok := v.([]any)
	if !ok && v != nil {
		faults.Add(path, "must be a list, not "+kind(v))
	}
	return list
}
