package fault

import "strings"

// JSONPath converts a path from proto names to JSON names: questions[2].default_key becomes
// questions[2].defaultKey. Quoted map keys are not changed.
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
