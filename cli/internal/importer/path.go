package importer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/cli/internal/world"
)

// step matches one step of a path such as `a.b_c[2].d["e"]`.
var step = regexp.MustCompile(`^\.?([A-Za-z0-9_]+)|^\[(\d+)\]|^\["((?:[^"\\]|\\.)*)"\]`)

// filled are the fields that the import fills itself: a file does not have them.
var filled = map[string]bool{
	"validate_only": true, "person_id": true, "account_id": true, "app_id": true, "company_id": true, "job_id": true,
	"cv_id": true, "resume_id": true, "posting": true,
}

// jsonPath turns the path of a field of the request type d, in the names of the
// .proto, into the path that the field has in a file. It ends before the first step
// that a file cannot have, so that the fault falls on the thing around it.
func jsonPath(d protoreflect.MessageDescriptor, path string) string {
	out := ""
	var last protoreflect.FieldDescriptor // the field of the step before, if that named one
	for path != "" {
		m := step.FindStringSubmatch(path)
		if m == nil {
			return out
		}
		path = path[len(m[0]):]
		switch {
		case m[1] != "" && d != nil:
			last = d.Fields().ByName(protoreflect.Name(m[1]))
			if last == nil || filled[m[1]] {
				return out
			}
			out = world.Child(out, last.JSONName())
			d = singleMessage(last)
		case m[2] != "" && last != nil && last.IsList():
			out += m[0]
			d, last = last.Message(), nil
		case m[1] == "" && m[2] == "" && last != nil && last.IsMap():
			key, err := strconv.Unquote(`"` + m[3] + `"`)
			if err != nil {
				return out
			}
			out = world.Child(out, key)
			d, last = nil, nil
		default:
			return out
		}
	}
	return out
}

// singleMessage gives the message type of a field that holds one message, nil for
// every other field.
func singleMessage(f protoreflect.FieldDescriptor) protoreflect.MessageDescriptor {
	if f.IsList() || f.IsMap() {
		return nil
	}
	return f.Message()
}

// join puts the path of a field behind the path of the thing that has it.
func join(path, field string) string {
	switch {
	case field == "":
		return path
	case strings.HasPrefix(field, "["):
		return path + field
	default:
		return fmt.Sprintf("%s.%s", path, field)
	}
}

// moved gives a path in which the first field, if it is from, is called to. Without
// to, the fields inside from take its place.
func moved(path, from, to string) string {
	rest, inside := strings.CutPrefix(path, from)
	switch {
	case !inside || rest != "" && rest[0] != '.' && rest[0] != '[':
		return path
	case to == "":
		return strings.TrimPrefix(rest, ".")
	default:
		return to + rest
	}
}
