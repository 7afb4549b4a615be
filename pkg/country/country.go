// Package country names countries.
package country

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Name is the name of a country in a language, by its ISO 3166-1 alpha-2 code and a BCP 47 tag
// ("SA" in "en": "Saudi Arabia"), as the Unicode CLDR has it. A code that has no name there is its
// own name, and an empty one has an empty name.
func Name(code, tag string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	namer := display.Regions(language.Make(tag))
	if namer == nil {
		return code
	}
	if name := namer.Name(region); name != "" {
		return name
	}
	return code
}
