package i18n

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// ltr is what a line from right to left takes apart: a date in digits, of which Arabic letters
	// before it turn round the parts (UAX #9, W2), an address, a file name extension.
	ltr = regexp.MustCompile(`\d-\d|://|\B\.[a-z]`)
	// isolated is a text that keeps its own direction (UAX #9, LRI and PDI).
	isolated    = regexp.MustCompile(`\x{2066}[^\x{2069}]*\x{2069}`)
	pluralForm  = regexp.MustCompile(`^(.+)\.(zero|one|two|few|many|other)$`)
	placeholder = regexp.MustCompile(`\{\w+\}`)
)

// check finds empty texts, texts that two languages do not have alike, and texts from right to
// left in which a date or an address would be read backwards.
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

// shape maps the key of every text to the sorted placeholders of the text. The
// plural forms of a text count as one key without placeholders: languages differ in
// which forms they have, and some forms leave the number out.
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
