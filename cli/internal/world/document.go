package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// object is a JSON object with its keys in the order of the file.
type object struct {
	keys   []string
	fields map[string]any
}

// parse turns JSON into objects, []any, string, json.Number, bool and nil. A file that
// is not JSON has one fault. Every duplicate key is a fault.
func parse(raw []byte, faults *Faults) any {
	if !utf8.Valid(raw) {
		faults.Add("$", "must be UTF-8")
		return nil
	}
	var syntax *json.SyntaxError
	var whole json.RawMessage
	if err := json.Unmarshal(raw, &whole); errors.As(err, &syntax) {
		line, column := position(raw, syntax.Offset)
		faults.Add("$", fmt.Sprintf("is not JSON: line %d, column %d: %s", line, column, syntax.Error()))
		return nil
	}
	p := parser{tokens: json.NewDecoder(bytes.NewReader(raw)), faults: faults}
	p.tokens.UseNumber()
	return p.value("")
}

func position(raw []byte, offset int64) (line, column int) {
	before := raw[:min(int(offset), len(raw))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - (bytes.LastIndexByte(before, '\n') + 1)
}

type parser struct {
	tokens *json.Decoder
	faults *Faults
}

// next gives the next token. It cannot fail, because parse has checked the syntax.
func (p parser) next() json.Token {
	t, err := p.tokens.Token()
	if err != nil {
		panic(fmt.Sprintf("world: valid JSON did not parse: %v", err))
	}
	return t
}

func (p parser) value(path string) any {
	switch t := p.next().(type) {
	case json.Delim:
		if t == '{' {
			return p.object(path)
		}
		list := []any{}
		for p.tokens.More() {
			list = append(list, p.value(Index(path, len(list))))
		}
		p.next()
		return list
	default:
		return t
	}
}

func (p parser) object(path string) *object {
	o := &object{fields: map[string]any{}}
	for p.tokens.More() {
		key := p.next().(string)
		v := p.value(Child(path, key))
		if _, there := o.fields[key]; there {
			p.faults.Add(Child(path, key), "stands here twice")
			continue
		}
		o.keys = append(o.keys, key)
		o.fields[key] = v
	}
	p.next()
	return o
}

// Child gives the path of a field of the object at path. It quotes a key that is not a
// plain name.
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

// Index gives the path of an element of the list at path.
func Index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// kind names the type of a value for a message.
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
