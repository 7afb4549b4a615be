package i18n

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// ltr matches text that a right-to-left line displays in the wrong order: numeric dates,
	// whose parts Arabic letters before them reverse (UAX #9, W2), URLs, file name extensions.
	ltr = regexp.MustCompile(`\d-\d|://|\B\.[a-z]`)
	// isolated matches text with its own direction (UAX #9, LRI and PDI).
	isolated    = regexp.MustCompile(`\x{2066}[^\x{2069}]*\x{2069}`)
	pluralForm  = regexp.MustCompile(`^(.+)\.(zero|one|two|few|many|other)$`)
	placeholder = regexp.MustCompile(`\{\w+\}`)
)

// check finds empty texts, texts that differ in their placeholders or are missing in a
// language, and right-to-left texts that would show a date or an address reversed.
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
				faults = append(faults, fmt.Errorf("i18n: %s: %s holds a date or an address that is not isolated", l.Tag(), key))
			}
		}
		got := l.shape()
		for key, names := range want {
			if have, ok := got[key]; !ok || !slices.Equal(have, names) {
				faults = append(faults, fmt.Errorf("i18n: %s: %s is missing or has other placeholders than in %s", l.Tag(), key, first.Tag()))
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

// shape maps the key of every text to its sorted placeholders. The plural forms of a text
// count as one key without placeholders, because languages have different forms, and some
// forms omit the number.
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

// counts reports whether key has plural forms: each language has the form "other".
func (l *Language) counts(key string) bool {
	_, ok := l.messages[key+".other"]
	return ok
}
