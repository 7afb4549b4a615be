package fault

import "strings"

// JSONPath turns the path of a field from the names of the .proto into the names
// of the JSON: questions[2].default_key becomes questions[2].defaultKey. The keys
// of maps, which stand in quotes, stay as they are.
func JSONPath(path string) string {
	if !strings.Contains(path, "_") {
		return path
	}
	var b strings.Builder
	quoted := false
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case quoted && c == '\\' && i+1 < len(path):
			b.WriteByte(c)
			i++
			b.WriteByte(path[i])
		case c == '"':
			quoted = !quoted
			b.WriteByte(c)
		case c != '_' || quoted:
			b.WriteByte(c)
		case i+1 < len(path) && path[i+1] >= 'a' && path[i+1] <= 'z':
			i++
			b.WriteByte(path[i] - 'a' + 'A')
		}
	}
	return b.String()
}
