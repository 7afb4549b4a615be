package cvimport

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// languageName returns the name of a code of ISO 639, as the Europass Candidate has it ("ara", "en"), in
// the language of the CV. Anything else is a name already.
func languageName(s, cvLanguage string) string {
	if len(s) < 2 || len(s) > 3 {
		return s
	}
	tag, err := language.Parse(s)
	if err != nil {
		return s
	}
	names := display.English.Languages()
	if spoken, err := language.Parse(cvLanguage); err == nil {
		if known := display.Languages(spoken); known != nil {
			names = known
		}
	}
	if name := names.Name(tag); name != "" {
		return name
	}
	return s
}
