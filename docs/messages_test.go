package docs_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// catalogues maps each folder with messages to the folders whose code may use these messages. Sites use messages of the
// page kit, and all sites have the kit's pages.
var catalogues = map[string][]string{
	"gateway/internal/web":           {"gateway/internal/web", "gateway/internal/pages", "gateway/internal/console"},
	"gateway/internal/pages":         {"gateway/internal/web", "gateway/internal/pages", "pkg/audit"},
	"gateway/internal/console/shell": {"gateway/internal/web", "gateway/internal/console"},
}

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	quoted    = regexp.MustCompile(`"([\w.]+)"`)
	enumValue = regexp.MustCompile(`(?m)^\s+[A-Z][A-Z0-9]*((?:_[A-Z0-9]+)+) = \d+`)
	plural    = regexp.MustCompile(`\.(zero|one|two|few|many|other)$`)
	number    = regexp.MustCompile(`^\d+$`)
)

// Unused messages would still be translated and reviewed.
func TestEveryMessageIsUsed(t *testing.T) {
	contract := wordsOfTheContract(t)
	for folder, places := range catalogues {
		pieces := maps.Clone(contract)
		for _, place := range places {
			collectPieces(t, place, pieces)
		}
		if !pieces.make("error.internal.title") || pieces.make("error.nobody.title") {
			t.Fatalf("%s: the pieces form too few keys, or any key", folder)
		}
		for _, key := range keysOf(t, folder) {
			if !pieces.make(key) && !pieces.make(plural.ReplaceAllString(key, "")) {
				t.Errorf("%s: the message %s is not used", folder, key)
			}
		}
	}
}

// pieces contains the strings from which code and templates build message keys.
type pieces map[string]bool

// make reports whether the pieces form the key: either a single piece, or several pieces joined at a dot or an
// underscore.
func (p pieces) make(key string) bool {
	if p[key] || number.MatchString(key) {
		return true
	}
	for i := 1; i < len(key); i++ {
		begin, rest := key[:i], key[i:]
		joined := strings.HasSuffix(begin, ".") || strings.HasSuffix(begin, "_")
		if p[begin] && (joined && p.make(rest) || rest[0] == '.' && (p[rest] || p.make(rest[1:]))) {
			return true
		}
	}
	return false
}

// collectPieces adds the strings in a folder's templates and Go code, except tests.
func collectPieces(t *testing.T, folder string, into pieces) {
	t.Helper()
	for _, text := range textsBelow(t, folder, ".go") {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			into[m[1]] = true
		}
	}
	for _, text := range textsBelow(t, folder, ".html") {
		for _, one := range action.FindAllString(text, -1) {
			for _, m := range quoted.FindAllStringSubmatch(one, -1) {
				into[m[1]] = true
			}
		}
	}
}

// wordsOfTheContract returns the audit log actions and the words in enum values.
func wordsOfTheContract(t *testing.T) pieces {
	t.Helper()
	out := pieces{}
	for _, text := range textsBelow(t, "proto/vitae", ".proto") {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			out[m[1]] = true
		}
		for _, m := range enumValue.FindAllStringSubmatch(text, -1) {
			for word := strings.ToLower(m[1][1:]); word != ""; _, word, _ = strings.Cut(word, "_") {
				out[word] = true
			}
		}
	}
	return out
}

// textsBelow returns the contents of the files with this extension below a folder of the repository, except Go tests.
func textsBelow(t *testing.T, folder, extension string) []string {
	t.Helper()
	root := os.DirFS("..")
	var out []string
	err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (skipped[entry.Name()] || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != extension || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		raw, err := fs.ReadFile(root, name)
		out = append(out, string(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// keysOf returns the keys of a folder's English messages. Package i18n checks that all languages
// have the same keys.
func keysOf(t *testing.T, folder string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(messagesOf(t, folder, "en")))
}

func messagesOf(t *testing.T, folder, language string) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(path.Join("..", folder, "messages", language+".json"))
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string]string{}
	if err := json.Unmarshal(raw, &messages); err != nil {
		t.Fatal(err)
	}
	return messages
}

// The pages and the PDFs of CVs have separate word lists, in different programs.
func TestPagesAndPDFsUseTheSameWords(t *testing.T) {
	t.Parallel()
	pdf, err := os.ReadFile("../services/cvrender/internal/template/words.go")
	if err != nil {
		t.Fatal(err)
	}
	english, arabic, found := strings.Cut(string(pdf), "var arabic")
	if !found {
		t.Fatal("the Arabic words of PDFs were not found")
	}
	names := map[string]string{
		"cv.summary": "Profile", "cv.highlights": "Highlights", "cv.experience": "Experience", "cv.projects": "Projects", "cv.education": "Education",
		"cv.certifications": "Certifications", "cv.skills": "Skills", "cv.languages": "Languages", "cv.present": "Present",
		"public.open_to_work": "OpenToWork", "public.verified": "Verified",
	}
	for language, words := range map[string]string{"en": english, "ar": arabic} {
		messages := messagesOf(t, "gateway/internal/pages", language)
		for key, name := range names {
			if !regexp.MustCompile(`\b` + name + `:\s+"` + regexp.QuoteMeta(messages[key]) + `"`).MatchString(words) {
				t.Errorf("%s: the page has %q for %s, the PDF a different word", language, messages[key], name)
			}
		}
		for key, text := range messages {
			word, isOption := strings.CutPrefix(key, "editor.option.")
			if stored := regexp.MustCompile(`"` + word + `":\s+"([^"]*)"`).FindStringSubmatch(words); isOption && stored != nil && stored[1] != text {
				t.Errorf("%s: the page has %q for %s, the PDF %q", language, text, word, stored[1])
			}
		}
	}
}
