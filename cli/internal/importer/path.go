package importer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/cli/internal/world"
)

var step = regexp.MustCompile(`^\.?([A-Za-z0-9_]+)|^\[(\d+)\]|^\["((?:[^"\\]|\\.)*)"\]`)

// importerFields lists fields that the importer sets and that files do not contain.
var importerFields = map[string]bool{
	"validate_only": true, "person_id": true, "account_id": true, "app_id": true, "company_id": true, "job_id": true,
	"cv_id": true, "resume_id": true, "posting": true,
}

// jsonPath maps the path of a field of message d, in proto names, to its path in a file. It stops at the first
// step that cannot occur in a file, so the error is assigned to the enclosing object.
func jsonPath(d protoreflect.MessageDescriptor, path string) string {
	out := ""
	var last protoreflect.FieldDescriptor // the field of the previous step, if it was a field
	for path != "" {
		m := step.FindStringSubmatch(path)
		if m == nil {
			return out
		}
		path = path[len(m[0]):]
		switch {
		case m[1] != "" && d != nil:
			last = d.Fields().ByName(protoreflect.Name(m[1]))
			if last == nil || importerFields[m[1]] {
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

// singleMessage returns the message type of a singular message field, or nil for other fields.
func singleMessage(f protoreflect.FieldDescriptor) protoreflect.MessageDescriptor {
	if f.IsList() || f.IsMap() {
		return nil
	}
	return f.Message()
}

// join appends the path of a field to the path of its object.
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

// moved renames the first field of a path from from to to. If to is empty, it removes that field, which moves
// its children up one level.
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
