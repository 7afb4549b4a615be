package i18n

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/bidi"
)

// Language is one language of a site.
type Language struct {
	tag      language.Tag
	messages map[string]string
}

// Tag returns the BCP 47 tag, for the lang attribute.
func (l *Language) Tag() string { return l.tag.String() }

// Dir returns the direction of the script, for the dir attribute.
func (l *Language) Dir() string { return Direction(l.Tag()) }

// Direction returns the direction of a language's script, "ltr" or "rtl".
func Direction(tag string) string {
	if strings.HasPrefix(tag, "ar") {
		return "rtl"
	}
	return "ltr"
}

// Text returns a message with its placeholders filled. args contains alternating names and values. Text
// returns an error if the message is missing, so that no page shows a key.
func (l *Language) Text(key string, args ...any) (string, error) {
	return l.fill(key, args, func(s string) string { return s }, func(s string) string { return s })
}

// HTML is like Text, but returns markup. Values are escaped. A value whose text direction differs is
// isolated, so that an Arabic name does not change the word order of an English sentence, and vice versa.
func (l *Language) HTML(key string, args ...any) (template.HTML, error) {
	isolate := func(s string) string {
		if l.Dir() == "ltr" && !hasRightToLeft(s) {
			return template.HTMLEscapeString(s)
		}
		return "<bdi>" + template.HTMLEscapeString(s) + "</bdi>"
	}
	s, err := l.fill(key, args, template.HTMLEscapeString, isolate)
	return template.HTML(s), err //nolint:gosec // every part was escaped above
}

func hasRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		properties, _ := bidi.LookupRune(r)
		switch properties.Class() {
		case bidi.R, bidi.AL, bidi.RLO, bidi.RLE, bidi.RLI, bidi.LRO, bidi.LRE, bidi.LRI, bidi.FSI, bidi.PDF, bidi.PDI:
			return true
		default:
			return false
		}
	})
}

func (l *Language) fill(key string, args []any, text, value func(string) string) (string, error) {
	message, ok := l.messages[key]
	if !ok || len(args)%2 != 0 {
		return "", fmt.Errorf("i18n: no message %q in %s for %d arguments", key, l.Tag(), len(args))
	}
	pairs := make([]string, 0, len(args))
	for i := 0; i < len(args); i += 2 {
		pairs = append(pairs, "{"+fmt.Sprint(args[i])+"}", value(fmt.Sprint(args[i+1])))
	}
	return strings.NewReplacer(pairs...).Replace(text(message)), nil
}

// categories maps plural forms to their CLDR names.
var categories = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two",
	plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// Count returns the plural form of a message for n, with the placeholder {n} replaced with n.
func (l *Language) Count(key string, n int) (string, error) {
	form := plural.Cardinal.MatchPlural(l.tag, n, 0, 0, 0, 0)
	return l.Text(key+"."+categories[form], "n", n)
}

// Wait formats d, rounded up: in seconds up to a minute, and in minutes above that.
func (l *Language) Wait(d time.Duration) (string, error) {
	seconds := max(1, int((d+time.Second-1)/time.Second))
	if seconds <= 60 {
		return l.Count("wait.seconds", seconds)
	}
	return l.Count("wait.minutes", (seconds+59)/60)
}

// Date formats the day of t in UTC.
func (l *Language) Date(t time.Time) (string, error) {
	return l.PartialDate(t.UTC().Format(time.DateOnly))
}

// PartialDate formats a date from a CV: YYYY, YYYY-MM or YYYY-MM-DD. It returns other text unchanged.
func (l *Language) PartialDate(s string) (string, error) {
	for layout, key := range map[string]string{"2006-01": "date.month", time.DateOnly: "date.day"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		month, err := l.Text("month." + strconv.Itoa(int(t.Month())))
		if err != nil {
			return "", err
		}
		return l.Text(key, "day", t.Day(), "month", month, "year", t.Format("2006"))
	}
	return s, nil
}
