package rest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// timestampLayout prints milliseconds always (spec: Envelope and paging);
// protojson prints 0, 3, 6 or 9 digits.
const timestampLayout = "2006-01-02T15:04:05.000Z"

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

// appendJSON appends m to b by the conventions of package vitae.cv.v1: an unset
// message or wrapper is null, an unset optional scalar is absent, everything else
// is always printed. Equal messages give equal bytes in every build, which
// protojson does not promise and entity tags need.
func appendJSON(b []byte, m proto.Message) ([]byte, error) {
	if m == nil {
		return append(b, "null"...), nil
	}
	return appendMessage(b, m.ProtoReflect())
}

func appendMessage(b []byte, m protoreflect.Message) ([]byte, error) {
	if !m.IsValid() {
		return append(b, "null"...), nil
	}
	switch d := m.Descriptor(); {
	case d.FullName() == timestampName:
		return appendTimestamp(b, m)
	case wrappers[d.FullName()]:
		fd := d.Fields().ByName(wrapperValue)
		return appendScalar(b, fd, m.Get(fd))
	}
	var err error
	fields, first := m.Descriptor().Fields(), true
	b = append(b, '{')
	for i := range fields.Len() {
		fd := fields.Get(i)
		if absent(m, fd) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, fd.JSONName()), ':')
		if b, err = appendField(b, m, fd); err != nil {
			return nil, fmt.Errorf("%s: %w", fd.FullName(), err)
		}
	}
	return append(b, '}'), nil
}

// absent reports whether an unset field is left out rather than printed as null.
func absent(m protoreflect.Message, fd protoreflect.FieldDescriptor) bool {
	if !fd.HasPresence() || m.Has(fd) {
		return false
	}
	return fd.HasOptionalKeyword() || fd.ContainingOneof() != nil || fd.Message() == nil
}

func appendField(b []byte, m protoreflect.Message, fd protoreflect.FieldDescriptor) ([]byte, error) {
	switch {
	case fd.IsMap():
		return appendMap(b, fd, m.Get(fd).Map())
	case fd.IsList():
		return appendList(b, fd, m.Get(fd).List())
	case fd.Message() != nil && !m.Has(fd):
		return append(b, "null"...), nil
	default:
		return appendValue(b, fd, m.Get(fd))
	}
}

func appendList(b []byte, fd protoreflect.FieldDescriptor, list protoreflect.List) ([]byte, error) {
	var err error
	b = append(b, '[')
	for i := range list.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, fd, list.Get(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendMap prints keys in order, so that equal maps give equal bytes.
func appendMap(b []byte, fd protoreflect.FieldDescriptor, m protoreflect.Map) ([]byte, error) {
	if fd.MapKey().Kind() != protoreflect.StringKind {
		return nil, errors.New("only string keys have a place in JSON")
	}
	keys := make([]string, 0, m.Len())
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k.String())
		return true
	})
	slices.Sort(keys)
	var err error
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, k), ':')
		value := m.Get(protoreflect.ValueOfString(k).MapKey())
		if b, err = appendValue(b, fd.MapValue(), value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendValue(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) ([]byte, error) {
	if fd.Message() != nil {
		return appendMessage(b, v.Message())
	}
	return appendScalar(b, fd, v)
}

func appendScalar(b []byte, fd protoreflect.FieldDescriptor, v protoreflect.Value) ([]byte, error) {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return appendString(b, v.String()), nil
	case protoreflect.BoolKind:
		return strconv.AppendBool(b, v.Bool()), nil
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case protoreflect.DoubleKind:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, errors.New("not a JSON number")
		}
		return strconv.AppendFloat(b, v.Float(), 'f', -1, 64), nil
	default:
		// 64-bit integers lose digits in JavaScript, and bytes and enums have no
		// form that the specification uses.
		return nil, fmt.Errorf("kind %s has no place in the public JSON", fd.Kind())
	}
}

func appendTimestamp(b []byte, m protoreflect.Message) ([]byte, error) {
	fields := m.Descriptor().Fields()
	t := time.Unix(m.Get(fields.ByName("seconds")).Int(), m.Get(fields.ByName("nanos")).Int()).UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return nil, errors.New("the timestamp is out of range")
	}
	b = append(b, '"')
	b = t.AppendFormat(b, timestampLayout)
	return append(b, '"'), nil
}

// appendString quotes s (RFC 8259 §7). HTML characters stay as they are: the
// answers are served as JSON, with nosniff.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x20 || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
		default:
			b = utf8.AppendRune(b, r) // turns invalid UTF-8 into U+FFFD
		}
	}
	return append(b, '"')
}
