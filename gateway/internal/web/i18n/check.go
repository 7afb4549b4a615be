package i18n

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// ltr matches text that is displayed in the wrong order in a right-to-left line: URLs, file name extensions
	// and numeric dates. The parts of a numeric date are reversed after Arabic letters (UAX #9, W2).
	ltr = regexp.MustCompile(`\d-\d|://|\B\.[a-z]`)
	// isolated matches text with an explicit direction (UAX #9, LRI and PDI).
	isolated    = regexp.MustCompile(`\x{2066}[^\x{2069}]*\x{2069}`)
	pluralForm  = regexp.MustCompile(`^(.+)\.(zero|one|two|few|many|other)$`)
	placeholder = regexp.MustCompile(`\{\w+\}`)
)

// check returns an error if a message is empty, is missing in a language, or has different placeholders in
// different languages. It also returns an error if a date or URL in a right-to-left message would be displayed
// in the wrong order.
func (c *Catalogue) check() error {
	first := c.languages[0]
	want := first.shape()
	var faults []error
	for _, l := range c.languages {
		for key, text := range l.messages {
			if strings.TrimSpace(text) == "" {
				faults = append(faults, fmt.Errorf("i18n: %s: %s is empty", l.Tag(), key))
			}
			if l.Dir() == "rtl" && ltr.MatchString(isolated.ReplaceAllString(text, "")) {
				faults = append(faults, fmt.Errorf("i18n: %s: %s contains a date or URL that is not isolated", l.Tag(), key))
			}
		}
		got := l.shape()
		for key, names := range want {
			if have, ok := got[key]; !ok || !slices.Equal(have, names) {
				faults = append(faults, fmt.Errorf("i18n: %s: %s is missing, or its placeholders differ from those in %s", l.Tag(), key, first.Tag()))
			}
		}
		for key := range got {
			if _, ok := want[key]; !ok {
				faults = append(faults, fmt.Errorf("i18n: %s: %s is not in %s", l.Tag(), key, first.Tag()))
			}
		}
	}
	return errors.Join(faults...)
}

// shape maps the key of every message to its sorted placeholders. The plural forms of a message count as one
// key without placeholders, because languages have different forms, and some forms omit the number.
func (l *Language) shape() map[string][]string {
	out := map[string][]string{}
	for key, text := range l.messages {
		if m := pluralForm.FindStringSubmatch(key); m != nil && l.counts(m[1]) {
			out[m[1]] = nil
			continue
		}
		names := placeholder.FindAllString(text, -1)
		slices.Sort(names)
		out[key] = slices.Compact(names)
	}
	return out
}

// counts reports whether key has plural forms. Every language has the form "other".
func (l *Language) counts(key string) bool {
	_, ok := l.messages[key+".other"]
	return ok
}
