package importer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/cli/internal/world"
)

// A reduction takes refused fields out of a request, one after the other, and
// still knows where the rest of a list stood in the file.
type reduction struct {
	request protoreflect.Message
	// removed holds, by path of a list, the original indexes of the elements that
	// are gone.
	removed map[string][]int
	// tries counts how often a field was refused.
	tries map[string]int
	// stoodIn are the paths of the fields that hold a stand-in.
	stoodIn []string
}

func newReduction(req proto.Message) *reduction {
	return &reduction{request: req.ProtoReflect(), removed: map[string][]int{}, tries: map[string]int{}}
}

// maxTries ends the questions about a field that is refused whatever is done.
const maxTries = 3

// step matches one step of a path such as `a.b_c[2].d["e"]`.
var step = regexp.MustCompile(`^\.?([A-Za-z0-9_]+)|^\[(\d+)\]|^\["((?:[^"\\]|\\.)*)"\]`)

// field takes out the field at path, in the names of the .proto. It gives the
// path in JSON names, as the field stood before anything was taken out, and
// whether it makes sense to ask about the rest.
//
// An optional field is cleared. One that is still refused then is required: it
// gets a stand-in. One that is refused even so ends the questions. What is refused
// inside a stand-in is not in the file: the path is that of the field then.
func (r *reduction) field(path string) (jsonPath string, goOn bool) {
	jsonPath, goOn = r.takeOut(path)
	for _, ours := range r.stoodIn {
		if rest, inside := strings.CutPrefix(jsonPath, ours); inside && rest != "" && (rest[0] == '.' || rest[0] == '[') {
			return ours, goOn
		}
	}
	return jsonPath, goOn
}

func (r *reduction) takeOut(path string) (jsonPath string, goOn bool) {
	message, last := r.request, func(int) bool { return false }
	var list protoreflect.List
	var entries protoreflect.Map
	for rest := path; rest != ""; {
		m := step.FindStringSubmatchIndex(rest)
		if m == nil {
			return jsonPath, false
		}
		part := func(group int) string { return rest[m[2*group]:m[2*group+1]] }
		switch {
		case m[2] >= 0 && message != nil: // a field
			f := fieldNamed(message.Descriptor(), part(1))
			if f == nil {
				return jsonPath, false
			}
			jsonPath = world.Child(jsonPath, f.JSONName())
			parent, at := message, jsonPath
			last = func(try int) bool { return r.clearOrStandIn(at, parent, f, try) }
			message, list, entries = enter(parent, f)
		case m[4] >= 0 && list != nil: // an element
			i, err := strconv.Atoi(part(2))
			if err != nil || i >= list.Len() {
				return jsonPath, false
			}
			listPath, elements := jsonPath, list
			jsonPath = world.Index(listPath, r.original(listPath, i))
			last = func(int) bool { r.remove(listPath, elements, i); return true }
			message, list = elementMessage(elements, i), nil
		case m[6] >= 0 && entries != nil: // an entry
			key, err := strconv.Unquote(`"` + part(3) + `"`)
			if err != nil {
				return jsonPath, false
			}
			pairs := entries
			jsonPath = world.Child(jsonPath, key)
			last = func(int) bool { pairs.Clear(protoreflect.ValueOfString(key).MapKey()); return true }
			entries = nil
		default:
			return jsonPath, false
		}
		rest = rest[m[1]:]
	}
	r.tries[jsonPath]++
	return jsonPath, r.tries[jsonPath] <= maxTries && last(r.tries[jsonPath])
}

func fieldNamed(d protoreflect.MessageDescriptor, name string) protoreflect.FieldDescriptor {
	if f := d.Fields().ByName(protoreflect.Name(name)); f != nil {
		return f
	}
	return d.Fields().ByJSONName(name)
}

// enter gives what is inside a field, for the next step.
func enter(m protoreflect.Message, f protoreflect.FieldDescriptor) (protoreflect.Message, protoreflect.List, protoreflect.Map) {
	switch {
	case f.IsMap():
		return nil, nil, m.Mutable(f).Map()
	case f.IsList():
		return nil, m.Mutable(f).List(), nil
	case f.Kind() == protoreflect.MessageKind && m.Has(f):
		return m.Get(f).Message(), nil, nil
	default:
		return nil, nil, nil
	}
}

func elementMessage(list protoreflect.List, i int) protoreflect.Message {
	if m, ok := list.Get(i).Interface().(protoreflect.Message); ok {
		return m
	}
	return nil
}

// clearOrStandIn clears the field at the first try and fills it at the second.
func (r *reduction) clearOrStandIn(path string, m protoreflect.Message, f protoreflect.FieldDescriptor, try int) bool {
	switch {
	case try == 1:
		m.Clear(f)
		return true
	case try > 2:
		return false
	}
	r.stoodIn = append(r.stoodIn, path)
	return standIn(m, f)
}

// standIns are for the strings that must look like something.
var standIns = map[protoreflect.Name]string{
	"email":       "stand-in@vitae.example",
	"description": strings.Repeat("stand-in ", 10),
	"currency":    "AED",
}

// standInLists are for the lists that must hold something of a kind.
var standInLists = map[protoreflect.FullName][]string{
	"vitae.auth.v1.CreateApiKeyRequest.scopes": {"companies:read"},
}

// standIn gives the field a value that a service takes.
func standIn(m protoreflect.Message, f protoreflect.FieldDescriptor) bool {
	switch {
	case f.IsMap():
		return false
	case f.IsList() && f.Kind() == protoreflect.StringKind:
		texts := standInLists[f.FullName()]
		if texts == nil {
			texts = []string{"stand-in", "another stand-in"}
		}
		list := m.Mutable(f).List()
		for _, s := range texts {
			list.Append(protoreflect.ValueOfString(s))
		}
	case f.IsList():
		return false
	case f.Kind() == protoreflect.EnumKind:
		m.Set(f, protoreflect.ValueOfEnum(f.Enum().Values().Get(1).Number()))
	case f.Kind() == protoreflect.StringKind:
		text := standIns[f.Name()]
		if text == "" {
			text = "stand-in"
		}
		m.Set(f, protoreflect.ValueOfString(text))
	case f.Kind() == protoreflect.Int32Kind:
		m.Set(f, protoreflect.ValueOfInt32(1))
	case f.Kind() == protoreflect.DoubleKind:
		m.Set(f, protoreflect.ValueOfFloat64(1))
	case f.Kind() == protoreflect.BoolKind:
		m.Set(f, protoreflect.ValueOfBool(true))
	case f.Kind() == protoreflect.MessageKind:
		inner := m.Mutable(f).Message()
		for i := range inner.Descriptor().Fields().Len() {
			standIn(inner, inner.Descriptor().Fields().Get(i))
		}
	default:
		return false
	}
	return true
}

// original is where element i of the list stood before others were removed.
func (r *reduction) original(list string, i int) int {
	for _, gone := range r.removed[list] {
		if gone <= i {
			i++
		}
	}
	return i
}

func (r *reduction) remove(path string, list protoreflect.List, i int) {
	gone := append(r.removed[path], r.original(path, i))
	slices.Sort(gone)
	r.removed[path] = gone
	for ; i+1 < list.Len(); i++ {
		list.Set(i, list.Get(i+1))
	}
	list.Truncate(list.Len() - 1)
}
