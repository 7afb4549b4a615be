package resume

import (
	"strings"
	"unicode"
)

// cleanFilename removes the path, line breaks and characters that change the text direction.
func cleanFilename(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.In(r, unicode.Zl, unicode.Zp):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if strings.Trim(name, ". ") == "" {
		return ""
	}
	return name
}
