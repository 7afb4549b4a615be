package cvimport

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// languageName returns the name, in the language of the CV, for an ISO 639 code in a Europass Candidate,
// such as "ara" or "en". It returns anything else unchanged, because it is already a name.
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
