// Package country returns the names of countries.
package country

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Name returns the name of a country in a language, according to the Unicode CLDR. code is an ISO
// 3166-1 alpha-2 code and tag a BCP 47 language tag: "SA" in "en" is "Saudi Arabia". Name returns
// code if it is unknown.
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
