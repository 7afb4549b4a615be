package jsonbody

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/jsonread"
)

const (
	// maxDepth is the maximum nesting depth of objects and arrays.
	maxDepth = 32
	// maxMissing is the maximum number of missing fields that are reported.
	maxMissing = 100
)

// start returns a Reader for a body, which must be an object.
func start(raw []byte) (*jsonread.Reader, error) {
	r := jsonread.Strict(raw, maxDepth)
	switch {
	case len(bytes.TrimLeft(raw, " \t\r\n")) == 0:
		return nil, r.Fault("must not be empty")
	case r.Kind() != jsonread.Object:
		return nil, r.WrongKind(jsonread.Object)
	}
	return r, nil
}

// refusal converts a Fault in a body to the error for its request.
func refusal(err error) error {
	if f, ok := errors.AsType[*jsonread.Fault](err); ok {
		return fault.InJSON(cmp.Or(f.Path, "body"), "%s", f.Message)
	}
	return err
}

// decoder reads one body.
type decoder struct {
	*jsonread.Reader
	// missing lists the missing required fields. Errors in the text itself take precedence.
	missing []errs.Violation
}

func (d *decoder) object(o *object, m protoreflect.Message) error {
	there := make([]bool, len(o.required))
	var mask []string
	err := d.Object(func(key string) error {
		f := o.fields[key]
		if f == nil {
			return d.Skip()
		}
		if f.required >= 0 {
			there[f.required] = true
		}
		if o.mask != nil {
			mask = append(mask, string(f.desc.Name()))
		}
		return d.field(f, m)
	})
	if err != nil {
		return err
	}
	for i, name := range o.required {
		if !there[i] && len(d.missing) < maxMissing {
			f := d.Missing(name)
			d.missing = append(d.missing, errs.Violation{Field: f.Path, Description: f.Message})
		}
	}
	if o.mask != nil {
		m.Set(o.mask, protoreflect.ValueOfMessage((&fieldmaskpb.FieldMask{Paths: mask}).ProtoReflect()))
	}
	return nil
}

// missed returns one error for all missing fields. Its message names the first one.
func (d *decoder) missed() error {
	if len(d.missing) == 0 {
		return nil
	}
	return fault.InJSON(d.missing[0].Field, "%s", d.missing[0].Description).WithViolations(d.missing...)
}

func (d *decoder) field(f *field, m protoreflect.Message) error {
	k := d.Kind()
	switch {
	case k == jsonread.Null && f.takesNull:
		return d.Null()
	case f.desc.IsList():
		if k != jsonread.Array {
			return d.WrongKind(jsonread.Array)
		}
		list := m.Mutable(f.desc).List()
		return d.Array(func(int) error {
			if f.object != nil {
				if d.Kind() != jsonread.Object {
					return d.WrongKind(jsonread.Object)
				}
				return d.object(f.object, list.AppendMutable().Message())
			}
			v, err := d.scalar(f)
			if err == nil {
				list.Append(v)
			}
			return err
		})
	case f.object != nil:
		if k != jsonread.Object {
			return d.WrongKind(jsonread.Object)
		}
		return d.object(f.object, m.Mutable(f.desc).Message())
	default:
		v, err := d.scalar(f)
		if err == nil {
			m.Set(f.desc, v)
		}
		return err
	}
}

func (d *decoder) scalar(f *field) (protoreflect.Value, error) {
	if k := d.Kind(); k != f.kind && (k != jsonread.Number || f.kind != aWholeNumber) {
		return protoreflect.Value{}, d.WrongKind(f.kind)
	}
	switch f.kind {
	case jsonread.Boolean:
		yes, err := d.Bool()
		return protoreflect.ValueOfBool(yes), err
	case jsonread.Number:
		n, err := d.Float()
		return protoreflect.ValueOfFloat64(n), err
	case aWholeNumber:
		n, err := d.int32()
		return protoreflect.ValueOfInt32(n), err
	}
	s, err := d.Text()
	if err != nil || f.words == nil {
		return protoreflect.ValueOfString(s), err
	}
	n, known := f.words[s]
	if !known {
		return protoreflect.Value{}, d.Fault("must be one of %s", f.allowed)
	}
	return protoreflect.ValueOfEnum(n), nil
}

// int32 also accepts 3.0 and 3e2, which are whole numbers (JSON Schema, "integer").
func (d *decoder) int32() (int32, error) {
	text, err := d.Number()
	if err != nil {
		return 0, err
	}
	if !strings.ContainsAny(text, ".eE") {
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			return int32(n), nil
		}
		return 0, d.Fault("is out of range")
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return 0, d.Fault("is out of range")
	case n != math.Trunc(n):
		return 0, d.Fault("must be a whole number")
	case n < math.MinInt32 || n > math.MaxInt32:
		return 0, d.Fault("is out of range")
	}
	return int32(n), nil
}
