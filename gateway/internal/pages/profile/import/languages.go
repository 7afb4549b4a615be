package cvimport

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// languageName returns the name, in that language itself, of a code of ISO 639, as the Europass
// Candidate has it ("ara", "en"). Anything else is a name already.
func languageName(s string) string {
	if len(s) < 2 || len(s) > 3 {
		return s
	}
	tag, err := language.Parse(s)
	if err != nil {
		return s
	}
	if name := display.Self.Name(tag); name != "" {
		return name
	}
	return s
}
