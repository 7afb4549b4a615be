package i18n

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// texts holds a site's messages in English and Arabic.
var texts = fstest.MapFS{
	"messages/en.json": {Data: []byte(`{"ask": "Disconnect {app}?", "unverified": "{email} is not verified yet. {app} sees it."}`)},
	"messages/ar.json": {Data: []byte(`{"ask": "هل تريد فصل {app}؟", "unverified": "{email} {app}"}`)},
}

// load loads the shared messages and texts.
func load(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Load([]string{"en", "ar"}, os.DirFS(".."), texts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadRejectsDifferingLanguages(t *testing.T) {
	for name, arabic := range map[string]string{
		"missing text":              `{"a": "أ"}`,
		"text in one language only": `{"a": "أ", "b": "ب {n}", "c": "ج"}`,
		"other placeholder":         `{"a": "أ", "b": "ب {m}"}`,
		"missing placeholder":       `{"a": "أ", "b": "ب"}`,
		"empty text":                `{"a": " ", "b": "ب {n}"}`,
		"plural without a form":     `{"a": "أ", "b.one": "ب {n}"}`,
		"not JSON":                  `{`,
		"date that is not isolated": `{"a": "مثل 1990-05-17", "b": "ب {n}"}`,
		"URL that is not isolated":  `{"a": "\u2066https://\u2069 أو http://", "b": "ب {n}"}`,
	} {
		_, err := Load([]string{"en", "ar"}, fstest.MapFS{
			"messages/en.json": {Data: []byte(`{"a": "A", "b": "B {n}"}`)},
			"messages/ar.json": {Data: []byte(arabic)},
		})
		if err == nil {
			t.Errorf("%s: Load returned no error", name)
		}
	}
	if _, err := Load([]string{"ar"}, fstest.MapFS{"messages/ar.json": {Data: []byte(`{"a": "مثل \u20661990-05-17\u2069 أو \u2066.json\u2069."}`)}}); err != nil {
		t.Error(err)
	}
	for _, tags := range [][]string{nil, {"fr"}, {"not a tag"}} {
		if _, err := Load(tags, texts); err == nil {
			t.Errorf("languages %q: Load returned no error", tags)
		}
	}
}

func TestLaterSourceOverridesText(t *testing.T) {
	c, err := Load([]string{"en"}, texts, fstest.MapFS{"messages/en.json": {Data: []byte(`{"ask": "Really?"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Match("ar").Text("ask"); err != nil || got != "Really?" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := c.Match("").Text("unverified"); err != nil || got == "" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAcceptLanguageIsMatched(t *testing.T) {
	c := load(t)
	for header, want := range map[string]string{
		"": "en", "en": "en", "ar": "ar", "ar-AE,en;q=0.5": "ar", "en-GB,ar;q=0.9": "en",
		"fr-FR": "en", "fr,ar;q=0.8": "ar", "*": "en", "ar;q=0, en": "en", ";;;===": "en",
	} {
		if got := c.Match(header).Tag(); got != want {
			t.Errorf("Accept-Language %q matches %s, want %s", header, got, want)
		}
	}
}

func TestValuesInMarkupAreEscapedAndIsolated(t *testing.T) {
	c := load(t)
	for _, tt := range []struct{ language, app, want string }{
		{"en", `<b>"&`, "Disconnect &lt;b&gt;&#34;&amp;?"},
		{"en", "نور", "Disconnect <bdi>نور</bdi>?"},
		{"en", "A\u202e<", "Disconnect <bdi>A\u202e&lt;</bdi>?"},
		{"ar", "<i>", "هل تريد فصل <bdi>&lt;i&gt;</bdi>؟"},
	} {
		got, err := c.Match(tt.language).HTML("ask", "app", tt.app)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s %q: %q, %v, want %q", tt.language, tt.app, got, err, tt.want)
		}
	}
}

func TestPlaceholdersInValuesAreKept(t *testing.T) {
	got, err := load(t).Match("en").Text("unverified", "app", "{email}", "email", "{app}")
	if err != nil || !strings.HasPrefix(got, "{app} is not verified yet. {email} sees") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestMissingMessageIsError(t *testing.T) {
	if _, err := load(t).Match("en").Text("no.such.message"); err == nil {
		t.Error("a missing message is not reported as an error")
	}
}

func TestPluralFormDependsOnLanguage(t *testing.T) {
	c := load(t)
	for _, tt := range []struct {
		language string
		d        time.Duration
		want     string
	}{
		{"en", 0, "1 second"}, {"en", time.Millisecond, "1 second"}, {"en", 45 * time.Second, "45 seconds"},
		{"en", 61 * time.Second, "2 minutes"}, {"ar", time.Second, "ثانية واحدة"}, {"ar", 2 * time.Second, "ثانيتين"},
		{"ar", 5 * time.Second, "5 ثوانٍ"}, {"ar", 45 * time.Second, "45 ثانية"}, {"ar", 3 * time.Minute, "3 دقائق"},
	} {
		if got, err := c.Match(tt.language).Wait(tt.d); err != nil || got != tt.want {
			t.Errorf("%s %v: %q, %v, want %q", tt.language, tt.d, got, err, tt.want)
		}
	}
}

func TestPartialDatesAreFormatted(t *testing.T) {
	c := load(t)
	for _, tt := range []struct{ language, in, want string }{
		{"en", "2024", "2024"}, {"en", "2024-03", "March 2024"}, {"en", "2024-03-09", "9 March 2024"},
		{"ar", "2024-03", "مارس 2024"}, {"en", "spring", "spring"}, {"en", "2024-13", "2024-13"},
	} {
		if got, err := c.Match(tt.language).PartialDate(tt.in); err != nil || got != tt.want {
			t.Errorf("%s %q: %q, %v, want %q", tt.language, tt.in, got, err, tt.want)
		}
	}
}

func TestNamedMatchesOnlySameLanguage(t *testing.T) {
	c := load(t)
	for tag, want := range map[string]string{
		"en": "en", "ar": "ar", "ar-AE": "ar", "en-GB": "en", "AR": "ar", "": "", "fr": "", "fa": "", "ur": "", "he": "", "x": "", "en;q=1": "", "ar\x00": "",
	} {
		l, ok := c.Named(tag)
		if ok != (want != "") || (ok && l.Tag() != want) {
			t.Errorf("%q: got %v, %t", tag, l, ok)
		}
	}
}
