package rest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/contract"
)

// timestampLayout always prints milliseconds (behaviour: requests#ids-and-times). protojson prints 0, 3, 6 or 9
// digits.
const timestampLayout = "2006-01-02T15:04:05.000Z"

// append appends m to b as JSON, according to the conventions of the proto packages vitae.cv.v1 and
// vitae.options.v1. An unset message, wrapper or enum is null, and an unset optional scalar is omitted.
// Everything else is printed. Equal messages result in equal bytes in every build. Entity tags depend on
// this, and protojson does not guarantee it.
func (p *plan) append(b []byte, m protoreflect.Message) ([]byte, error) {
	if !m.IsValid() {
		return append(b, "null"...), nil
	}
	switch p.form {
	case timestamp:
		return appendTimestamp(b, m)
	case wrapper:
		return p.scalar.appendValue(b, m.Get(p.scalar.desc))
	case unwrapped:
		for i := range p.fields {
			if f := &p.fields[i]; m.Has(f.desc) {
				return f.appendField(b, m)
			}
		}
		return append(b, "null"...), nil
	}
	var err error
	b = append(b, '{')
	first := true
	for i := range p.fields {
		f := &p.fields[i]
		isNull := f.unset != printed && !m.Has(f.desc)
		if isNull && f.unset == absent || f.omitEmpty && !m.Has(f.desc) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, f.key...)
		if isNull {
			b = append(b, "null"...)
			continue
		}
		if b, err = f.appendField(b, m); err != nil {
			return nil, fmt.Errorf("%s: %w", f.desc.FullName(), err)
		}
	}
	return append(b, '}'), nil
}

func (f *fieldPlan) appendField(b []byte, m protoreflect.Message) ([]byte, error) {
	switch v := m.Get(f.desc); {
	case f.value != nil:
		return f.appendMap(b, v.Map())
	case f.desc.IsList():
		return f.appendList(b, v.List())
	default:
		return f.appendValue(b, v)
	}
}

func (f *fieldPlan) appendList(b []byte, list protoreflect.List) ([]byte, error) {
	var err error
	b = append(b, '[')
	for i := range list.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = f.appendValue(b, list.Get(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendMap sorts the keys, so equal maps result in equal bytes.
func (f *fieldPlan) appendMap(b []byte, m protoreflect.Map) ([]byte, error) {
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
		if b, err = f.value.appendValue(b, m.Get(protoreflect.ValueOfString(k).MapKey())); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func (f *fieldPlan) appendValue(b []byte, v protoreflect.Value) ([]byte, error) {
	if f.message != nil {
		return f.message.append(b, v.Message())
	}
	switch f.desc.Kind() {
	case protoreflect.EnumKind:
		return f.appendWord(b, v.Enum())
	case protoreflect.StringKind:
		return appendString(b, v.String()), nil
	case protoreflect.BoolKind:
		return strconv.AppendBool(b, v.Bool()), nil
	case protoreflect.DoubleKind:
		if n := v.Float(); math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, errors.New("not a JSON number")
		}
		return strconv.AppendFloat(b, v.Float(), 'f', -1, 64), nil
	default: // makeField rejects other kinds
		return strconv.AppendInt(b, v.Int(), 10), nil
	}
}

// appendWord appends an enum value. A number without a word comes from a newer version of the service, so
// its meaning is unknown here.
func (f *fieldPlan) appendWord(b []byte, n protoreflect.EnumNumber) ([]byte, error) {
	switch {
	case n == 0:
		return append(b, "null"...), nil
	case n < 0 || int(n) >= len(f.words) || f.words[n] == nil:
		return nil, fmt.Errorf("the value %d of the enum is unknown", n)
	}
	return append(b, f.words[n]...), nil
}

func appendTimestamp(b []byte, m protoreflect.Message) ([]byte, error) {
	ts, ok := m.Interface().(*timestamppb.Timestamp)
	if !ok {
		return nil, fmt.Errorf("%T is not a *timestamppb.Timestamp", m.Interface())
	}
	t := time.Unix(ts.GetSeconds(), int64(ts.GetNanos())).UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return nil, errors.New("the timestamp is out of range")
	}
	b = append(b, '"')
	b = t.AppendFormat(b, timestampLayout)
	return append(b, '"'), nil
}

// appendString appends s as a JSON string (RFC 8259 §7). It does not escape HTML characters, because browsers
// do not sniff the type of responses.
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
			b = utf8.AppendRune(b, r) // invalid UTF-8 becomes U+FFFD
		}
	}
	return append(b, '"')
}

// shape describes the envelope of a method's responses (behaviour: requests#envelope).
type shape struct {
	data *fieldPlan
	// meta is the field with the paging, or nil for a method without paging.
	meta *fieldPlan
}

func newShape(m contract.Method) (s *shape, err error) {
	s = &shape{}
	if s.data, err = planOfField(m.Data); err != nil || m.Paging == nil {
		return s, err
	}
	s.meta, err = planOfField(m.Paging)
	return s, err
}

func (s *shape) append(b []byte, m protoreflect.Message) ([]byte, error) {
	b, err := s.data.appendField(append(b, `{"data":`...), m)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"error":null,"meta":`...)
	if s.meta == nil {
		return append(b, `null}`...), nil
	}
	if b, err = s.meta.appendField(b, m); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}
