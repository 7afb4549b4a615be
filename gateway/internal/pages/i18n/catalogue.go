package i18n

import (
	"embed"
	"encoding/json"
	"fmt"

	"golang.org/x/text/language"
)

//go:embed messages/*.json
var files embed.FS

// supported lists the languages, the one for everyone else first.
var supported = []language.Tag{language.English, language.Arabic}

// Catalogue is the set of languages.
type Catalogue struct {
	languages []*Language
	matcher   language.Matcher
}

// Load reads the embedded texts.
func Load() (*Catalogue, error) {
	c := &Catalogue{matcher: language.NewMatcher(supported)}
	for _, tag := range supported {
		raw, err := files.ReadFile("messages/" + tag.String() + ".json")
		if err != nil {
			return nil, fmt.Errorf("i18n: %w", err)
		}
		l := &Language{tag: tag}
		if err := json.Unmarshal(raw, &l.messages); err != nil {
			return nil, fmt.Errorf("i18n: %s: %w", tag, err)
		}
		c.languages = append(c.languages, l)
	}
	return c, nil
}

// Languages lists all languages, the one for everyone else first.
func (c *Catalogue) Languages() []*Language { return c.languages }

// Match picks the language for an Accept-Language header (RFC 9110 §12.5.4). A
// header that cannot be read or names no language of ours gives the first one.
func (c *Catalogue) Match(acceptLanguage string) *Language {
	_, i := language.MatchStrings(c.matcher, acceptLanguage)
	return c.languages[i]
}
