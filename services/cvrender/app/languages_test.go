//go:build !nobrowser

package app_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

//go:embed testdata/languages.txt
var languages string

// englishOnly is the heading of those strings that poppler reads in a different order, or with an additional
// space, if they are in an Arabic line. Poppler treats currency symbols as numbers, letters above U+FFFF as
// symbols, and symbols between the two languages as Arabic.
const englishOnly = "[Signs, in English CVs alone]"

// texts returns the strings in testdata/languages.txt that apply to a CV in the given language.
func texts(language string) []string {
	all, english, _ := strings.Cut(languages, englishOnly)
	if language == "en" {
		all += english
	}
	var out []string
	for line := range strings.Lines(all) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && line[0] != '[' {
			out = append(out, line)
		}
	}
	return out
}

// TestTextIsReadableInEveryLanguage checks that poppler reads every string unchanged, both on its own and
// within a sentence, whatever the languages of the string and the CV (behaviour: pdf#text-extraction).
func TestTextIsReadableInEveryLanguage(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	for language, sentence := range map[string]string{"en": "Worked with %s in Dubai", "ar": "عملت مع %s في دبي"} {
		d := &cvv1.CvDocument{Name: "Ǵeorǵi Ḥasan 李明"}
		for _, text := range texts(language) {
			d.Experiences = append(d.Experiences, &cvv1.Experience{Title: text, Bullets: []string{fmt.Sprintf(sentence, text)}})
		}
		for name, number := range templates {
			file := r.renderIn(t, &cvv1.SharedCv{Language: language, Document: d}, number).file
			got := plain(poppler(t, file, "pdftotext", "FILE", "-"))
			for _, e := range d.GetExperiences() {
				for _, want := range []string{e.GetTitle(), e.GetBullets()[0]} {
					if !found(got, want) {
						t.Errorf("%s, %s: %q is read as\n%q", language, name, want, near(got, plain(want)))
					}
				}
			}
			what := fmt.Sprintf("%s, %s", language, name)
			for _, want := range []string{"/Author <", "/StructTreeRoot", "<pdfuaid:part>1</pdfuaid:part>"} {
				if !bytes.Contains(file, []byte(want)) {
					t.Errorf("%s: %s is missing", what, want)
				}
			}
			wantAccessible(t, what, file)
		}
	}
}

// turns matches the marks that poppler inserts where the text direction changes, and the spaces around them.
var turns = regexp.MustCompile(`\s*[\x{200e}\x{200f}\x{202a}-\x{202e}][\s\x{200e}\x{200f}\x{202a}-\x{202e}]*`)

// plain normalizes a string for comparison. The result is in NFC, with "|" where the direction changes and a
// single space for any white space.
func plain(text string) string {
	return strings.Join(strings.Fields(turns.ReplaceAllString(norm.NFC.String(text), "|")), " ")
}

// found reports whether got contains want. Spaces are optional where the direction changes.
func found(text, want string) bool {
	var pattern strings.Builder
	for _, r := range plain(want) {
		if r == ' ' {
			pattern.WriteString(`(?: |\|)`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(string(r)) + `\|?`)
		}
	}
	return strings.Contains(text, plain(want)) || regexp.MustCompile(pattern.String()).MatchString(text)
}

// near returns the part of a string that is most similar to want, which is the part with the fewest errors.
func near(got, want string) string {
	a, w := []rune(got), []rune(want)
	counts := map[rune]int{}
	for _, r := range w {
		counts[r]++
	}
	have, hits, best, at := map[rune]int{}, 0, -1, 0
	for i, r := range a {
		if have[r]++; have[r] <= counts[r] {
			hits++
		}
		if i >= len(w) {
			old := a[i-len(w)]
			if have[old] <= counts[old] {
				hits--
			}
			have[old]--
		}
		if hits > best {
			best, at = hits, i
		}
	}
	return string(a[max(0, at-len(w)-3):min(len(a), at+4)])
}
