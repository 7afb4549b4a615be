package world

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// reader reads the fields of an object one by one. It treats null as absent, so an API response can be copied
// into a file.
type reader struct {
	path   string
	object *object
	faults *Faults
	taken  []string
}

// read returns a reader for the object at path. If v is not an object, it records an error and returns false.
func read(path string, v any, faults *Faults) (*reader, bool) {
	o, ok := v.(*object)
	if !ok {
		faults.Add(path, "must be an object, not "+kind(v))
	}
	return &reader{path: path, object: o, faults: faults}, ok
}

func (r *reader) take(key string) (v any, path string) {
	r.taken = append(r.taken, key)
	return r.object.fields[key], Child(r.path, key)
}

// end records an error for every field that was not read. Otherwise, a misspelled field would be ignored
// silently.
func (r *reader) end() {
	for _, key := range r.object.keys {
		if !slices.Contains(r.taken, key) {
			r.faults.Add(Child(r.path, key), "is not a field of this object")
		}
	}
}

func (r *reader) optional(key string) string {
	v, path := r.take(key)
	return text(path, v, r.faults)
}

func (r *reader) required(key string) string {
	v, path := r.take(key)
	if v == nil {
		r.faults.Add(path, "is required")
		return ""
	}
	return text(path, v, r.faults)
}

// ref reads the required ref of an object, which must be unique among objects of its kind.
func (r *reader) ref(seen names) string {
	ref := r.required("ref")
	path := Child(r.path, "ref")
	if ref == "" && !r.faults.Known(path) {
		r.faults.Add(path, "must not be empty")
	}
	seen.add(ref, path, r.faults)
	return ref
}

func (r *reader) boolean(key string) bool {
	v, path := r.take(key)
	return truth(path, v, r.faults)
}

// flag reads a boolean. It returns nil if the field is absent.
func (r *reader) flag(key string) *bool {
	v, path := r.take(key)
	if v == nil {
		return nil
	}
	b := truth(path, v, r.faults)
	return &b
}

// word reads an optional enum word.
func word[E protoreflect.Enum](r *reader, key string) (value E) {
	v, path := r.take(key)
	if v == nil {
		return value
	}
	number, _ := enum(path, v, value.Descriptor(), r.faults)
	return value.Type().New(number).(E)
}

// list reads a list of values of any type. It returns no items if the list is absent.
func (r *reader) list(key string) (items []any, path string) {
	v, path := r.take(key)
	return array(path, v, r.faults), path
}

func (r *reader) texts(key string) []string {
	items, path := r.list(key)
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = element(Index(path, i), item, r.faults)
	}
	return out
}

// message fills m from the object at key and reports whether the field is present.
func (r *reader) message(key string, m proto.Message) bool {
	v, path := r.take(key)
	if v == nil {
		return false
	}
	if isUnwrapped(m.ProtoReflect().Descriptor()) {
		unwrapped(path, v, m.ProtoReflect(), r.faults)
	} else {
		fill(path, v, m.ProtoReflect(), r.faults)
	}
	return true
}

// rest fills m from the fields that have not been read. It rejects the fields in hidden, because files
// cannot set them.
func (r *reader) rest(m proto.Message, hidden ...string) {
	rest := &object{fields: map[string]any{}}
	for _, key := range r.object.keys {
		if !slices.Contains(r.taken, key) {
			rest.keys = append(rest.keys, key)
			rest.fields[key] = r.object.fields[key]
		}
	}
	r.taken = r.object.keys
	fillExcept(r.path, rest, m.ProtoReflect(), hidden, r.faults)
}

func (r *reader) time(key string) *timestamppb.Timestamp {
	v, path := r.take(key)
	s := text(path, v, r.faults)
	if s == "" {
		if v == "" {
			r.faults.Add(path, "must be an RFC 3339 time, for example 2030-01-31T00:00:00Z")
		}
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.faults.Add(path, "must be an RFC 3339 time, for example 2030-01-31T00:00:00Z")
		return nil
	}
	return timestamppb.New(t)
}

// choice reads a required string that must be a key of words, and returns its value.
func choice[T any](r *reader, key string, words map[string]T) T {
	s := r.required(key)
	path := Child(r.path, key)
	v, ok := words[s]
	if !ok && !r.faults.Known(path) {
		r.faults.Add(path, "must be "+oneOf(words))
	}
	return v
}

func oneOf[T any](words map[string]T) string {
	var quoted []string
	for w := range words {
		quoted = append(quoted, fmt.Sprintf("%q", w))
	}
	slices.Sort(quoted)
	return strings.Join(quoted, " or ")
}

// names maps each used name to the path of its first use.
type names map[string]string

// add records an error if name has already been used. It ignores the empty name.
func (n names) add(name, path string, faults *Faults) {
	if name == "" {
		return
	}
	if first, there := n[name]; there {
		faults.Add(path, "is already used by "+first)
		return
	}
	n[name] = path
}
