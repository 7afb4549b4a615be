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

// Load reads messages/<tag>.json of every source, for each of the BCP 47 tags. The
// first tag is the language for browsers that ask for none of them. A text of a
// later source replaces the text of an earlier one. Every tag needs a file in at
// least one source, and every language must have the same texts with the same
// placeholders, so that no page fails in one language alone.
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
		if err := json.Unmarshal(raw, &l.messages); err != nil { // adds to the map
			return nil, fmt.Errorf("i18n: %s: %w", tag, err)
		}
		found = true
	}
	if !found {
		return nil, fmt.Errorf("i18n: no source has messages/%s.json", tag)
	}
	return l, nil
}

// Languages lists all languages in the order of Load.
func (c *Catalogue) Languages() []*Language { return c.languages }

// Named gives the language that a BCP 47 tag names, for example that of "ar-AE" where "ar" is
// among the languages; false for a tag that names none of them.
func (c *Catalogue) Named(tag string) (*Language, bool) {
	parsed, err := language.Parse(tag)
	if err != nil {
		return nil, false
	}
	// Not by the matcher: it also knows which language people read who speak another one.
	wanted, _ := parsed.Base()
	for _, l := range c.languages {
		if base, _ := l.tag.Base(); base == wanted {
			return l, true
		}
	}
	return nil, false
}

// Match picks the language for an Accept-Language header (RFC 9110 §12.5.4). A
// header that cannot be read, or that names none of the languages, gives the first
// language.
func (c *Catalogue) Match(acceptLanguage string) *Language {
	_, i := language.MatchStrings(c.matcher, acceptLanguage)
	return c.languages[i]
}
