package i18n

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/text/language"
)

// Catalogue holds the languages of one site.
type Catalogue struct {
	languages []*Language
	matcher   language.Matcher
}

// Load reads messages/<tag>.json from every source, for each of the BCP 47 tags. The first tag is the default
// language. Messages in later sources override those in earlier ones. Every tag needs a file in at least one
// source. All languages must have the same messages with the same placeholders, so that no page fails in only
// one language.
func Load(tags []string, sources ...fs.FS) (*Catalogue, error) {
	if len(tags) == 0 {
		return nil, errors.New("i18n: no language is given")
	}
	c := &Catalogue{}
	var parsed []language.Tag
	for _, name := range tags {
		tag, err := language.Parse(name)
		if err != nil {
			return nil, fmt.Errorf("i18n: %s: %w", name, err)
		}
		l, err := read(tag, sources)
		if err != nil {
			return nil, err
		}
		c.languages = append(c.languages, l)
		parsed = append(parsed, tag)
	}
	c.matcher = language.NewMatcher(parsed)
	return c, c.check()
}

func read(tag language.Tag, sources []fs.FS) (*Language, error) {
	l := &Language{tag: tag, messages: map[string]string{}}
	found := false
	for _, source := range sources {
		raw, err := fs.ReadFile(source, "messages/"+tag.String()+".json")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("i18n: %w", err)
		}
		if err := json.Unmarshal(raw, &l.messages); err != nil { // adds the messages to the map
			return nil, fmt.Errorf("i18n: %s: %w", tag, err)
		}
		found = true
	}
	if !found {
		return nil, fmt.Errorf("i18n: no source has messages/%s.json", tag)
	}
	return l, nil
}

// Languages returns all languages in the order passed to Load.
func (c *Catalogue) Languages() []*Language { return c.languages }

// Named returns the language for a BCP 47 tag, for example "ar" for "ar-AE". It returns false if the catalogue
// does not have the language.
func (c *Catalogue) Named(tag string) (*Language, bool) {
	parsed, err := language.Parse(tag)
	if err != nil {
		return nil, false
	}
	// This does not use language.Matcher, which also returns related languages.
	wanted, _ := parsed.Base()
	for _, l := range c.languages {
		if base, _ := l.tag.Base(); base == wanted {
			return l, true
		}
	}
	return nil, false
}

// Match returns the language for an Accept-Language header (RFC 9110 §12.5.4), or the default language if none
// matches.
func (c *Catalogue) Match(acceptLanguage string) *Language {
	_, i := language.MatchStrings(c.matcher, acceptLanguage)
	return c.languages[i]
}
