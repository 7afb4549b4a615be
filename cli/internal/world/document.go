package world

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"vitae.internal/pkg/jsonread"
)

// object is a JSON object that keeps the order of its keys.
type object struct {
	keys   []string
	fields map[string]any
}

// maxDepth is the maximum nesting depth of a file.
const maxDepth = 100

// parse converts JSON to *object, []any, string, json.Number, bool and nil. It reports invalid JSON as one
// error and each duplicate key as another.
func parse(raw []byte, faults *Faults) any {
	if !utf8.Valid(raw) {
		faults.Add("$", "must be UTF-8")
		return nil
	}
	p := parser{Reader: jsonread.Lenient(raw, maxDepth), faults: faults}
	v, err := p.value()
	if err == nil {
		err = p.End()
	}
	if fault := (*jsonread.Fault)(nil); errors.As(err, &fault) {
		faults.list = nil
		if fault.Offset < 0 {
			faults.Add(cmp.Or(fault.Path, "$"), fault.Message)
		} else {
			line, column := position(raw, fault.Offset)
			faults.Add("$", fmt.Sprintf("is not JSON: line %d, column %d", line, column))
		}
		return nil
	}
	return v
}

func position(raw []byte, offset int) (line, column int) {
	before := raw[:min(offset, len(raw))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

type parser struct {
	*jsonread.Reader
	faults *Faults
}

func (p parser) value() (any, error) {
	switch p.Kind() {
	case jsonread.Object:
		return p.object()
	case jsonread.Array:
		list := []any{}
		err := p.Array(func(int) error {
			item, err := p.value()
			list = append(list, item)
			return err
		})
		return list, err
	case jsonread.String:
		return p.Text()
	case jsonread.Number:
		number, err := p.Number()
		return json.Number(number), err
	case jsonread.Boolean:
		return p.Bool()
	default:
		return nil, p.Null()
	}
}

func (p parser) object() (*object, error) {
	o := &object{fields: map[string]any{}}
	err := p.Object(func(key string) error {
		_, there := o.fields[key]
		if there {
			p.faults.Add(p.Path(), "occurs twice")
			return p.Skip()
		}
		o.keys = append(o.keys, key)
		o.fields[key] = nil
		v, err := p.value()
		o.fields[key] = v
		return err
	})
	return o, err
}

// Child returns the path of a field of the object at path. Keys that are not plain names are quoted.
func Child(path, key string) string {
	plain := key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	switch {
	case !plain:
		return fmt.Sprintf("%s[%q]", path, key)
	case path == "":
		return key
	default:
		return path + "." + key
	}
}

// Index returns the path of an element of the list at path.
func Index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// kind describes the type of a value.
func kind(v any) string {
	switch v.(type) {
	case *object:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	default:
		return "null"
	}
}
