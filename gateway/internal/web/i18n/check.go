package i18n

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	pluralForm  = regexp.MustCompile(`^(.+)\.(zero|one|two|few|many|other)$`)
	placeholder = regexp.MustCompile(`\{\w+\}`)
)

// check finds empty texts, and texts that two languages do not have alike.
func (c *Catalogue) check() error {
	first := c.languages[0]
	want := first.shape()
	var faults []error
	for _, l := range c.languages {
		for key, text := range l.messages {
			if strings.TrimSpace(text) == "" {
				faults = append(faults, fmt.Errorf("i18n: %s: %s is empty", l.Tag(), key))
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
