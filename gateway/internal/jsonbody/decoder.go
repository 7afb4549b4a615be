package jsonbody

import (
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// maxDepth is how deep objects and arrays may be nested.
const maxDepth = 32

const (
	// maxMissing bounds how many missing fields are collected.
	maxMissing = 100
	required   = "is required"
)

// decoder reads one body.
type decoder struct {
	raw   []byte
	pos   int
	depth int
	path  []step
	// missing are the required fields that are missing, at most maxMissing. They are kept
	// until the whole text was read, because faults in the text are reported first.
	missing []errs.Violation
}

// object reads an object at the present position.
func (d *decoder) object(o *object, m protoreflect.Message) error {
	var seen keys
	var mask []string
	err := d.members(&seen, func(key string) error {
		f := o.fields[key]
		if f == nil {
			return d.skip()
		}
		if o.mask != nil {
			mask = append(mask, string(f.desc.Name()))
		}
		return d.field(f, m)
	})
	if err != nil {
		return err
	}
	for _, f := range o.required {
		if len(d.missing) < maxMissing && !seen.has(f.name) {
			d.push(step{key: f.name})
			d.missing = append(d.missing, errs.Violation{Field: d.place(), Description: required})
			d.pop()
		}
	}
	if o.mask != nil {
		m.Set(o.mask, protoreflect.ValueOfMessage((&fieldmaskpb.FieldMask{Paths: mask}).ProtoReflect()))
	}
	return nil
}

// missed is the error of the required fields that are missing. It names the first, and carries all.
func (d *decoder) missed() error {
	if len(d.missing) == 0 {
		return nil
	}
	return fault.InJSON(d.missing[0].Field, required).WithViolations(d.missing...)
}

func (d *decoder) field(f *field, m protoreflect.Message) error {
	k := d.kind()
	switch {
	case k == aNull && f.takesNull:
		return d.literal("null")
	case f.desc.IsList():
		if k != anArray {
			return d.wrongKind(anArray, k)
		}
		list := m.Mutable(f.desc).List()
		return d.elements(func() error {
			if f.object != nil {
				if k := d.kind(); k != anObject {
					return d.wrongKind(anObject, k)
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
		if k != anObject {
			return d.wrongKind(anObject, k)
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
	if k := d.kind(); k != f.kind && (k != aNumber || f.kind != anInt) {
		return protoreflect.Value{}, d.wrongKind(f.kind, k)
	}
	switch f.kind {
	case aBoolean:
		yes := d.raw[d.pos] == 't'
		return protoreflect.ValueOfBool(yes), d.literal(strconv.FormatBool(yes))
	case aNumber:
		n, err := d.double()
		return protoreflect.ValueOfFloat64(n), err
	case anInt:
		n, err := d.int32()
		return protoreflect.ValueOfInt32(n), err
	}
	s, fault, err := d.string()
	switch {
	case err != nil:
		return protoreflect.Value{}, err
	case fault != "":
		return protoreflect.Value{}, d.fault("must %s", fault)
	case f.words == nil:
		return protoreflect.ValueOfString(s), nil
	}
	n, known := f.words[s]
	if !known {
		return protoreflect.Value{}, d.fault("must be one of %s", f.allowed)
	}
	return protoreflect.ValueOfEnum(n), nil
}

// skip checks a value and drops it.
func (d *decoder) skip() error {
	switch d.kind() {
	case anObject:
		return d.members(&keys{}, func(string) error { return d.skip() })
	case anArray:
		return d.elements(d.skip)
	case aString:
		_, fault, err := d.string()
		if err == nil && fault != "" {
			err = d.fault("must %s", fault)
		}
		return err
	case aNumber:
		_, err := d.double()
		return err
	case aBoolean:
		return d.literal(strconv.FormatBool(d.raw[d.pos] == 't'))
	case aNull:
		return d.literal("null")
	default:
		return d.malformed()
	}
}

// members calls each for every key of the object at the present position; each reads
// the value.
func (d *decoder) members(seen *keys, each func(key string) error) error {
	return d.contents('}', func(int) error {
		if d.pos == len(d.raw) || d.raw[d.pos] != '"' {
			return d.malformed()
		}
		key, fault, err := d.string()
		if err != nil {
			return err
		}
		if fault != "" {
			return d.fault("a key in it must %s", fault)
		}
		d.push(step{key: key})
		if !seen.add(key) {
			return d.fault("must not be there twice")
		}
		if d.space(); d.pos == len(d.raw) || d.raw[d.pos] != ':' {
			return d.malformed()
		}
		d.pos++
		d.space()
		if err := each(key); err != nil {
			return err
		}
		d.pop()
		return nil
	})
}

// elements calls each for every element of the array at the present position.
func (d *decoder) elements(each func() error) error {
	return d.contents(']', func(i int) error {
		d.push(step{index: i, inArray: true})
		if err := each(); err != nil {
			return err
		}
		d.pop()
		return nil
	})
}

// contents calls each for every item of the object or array at the present position,
// up to the byte that ends it.
func (d *decoder) contents(end byte, each func(i int) error) error {
	if d.depth++; d.depth > maxDepth {
		return d.fault("is nested too deeply: at most %d levels are read", maxDepth)
	}
	d.pos++
	for i := 0; ; i++ {
		d.space()
		if i == 0 && d.pos < len(d.raw) && d.raw[d.pos] == end {
			break
		}
		if err := each(i); err != nil {
			return err
		}
		d.space()
		if d.pos == len(d.raw) {
			return d.malformed()
		}
		if d.raw[d.pos] == end {
			break
		}
		if d.raw[d.pos] != ',' {
			return d.malformed()
		}
		d.pos++
	}
	d.pos++
	d.depth--
	return nil
}
