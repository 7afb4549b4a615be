package i18n

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func load(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var (
	pluralForm  = regexp.MustCompile(`^(wait\.\w+)\.(zero|one|two|few|many|other)$`)
	placeholder = regexp.MustCompile(`\{\w+\}`)
)

// shape maps every message, plural forms taken together, to its placeholders.
func shape(l *Language) map[string][]string {
	out := map[string][]string{}
	for key, text := range l.messages {
		if m := pluralForm.FindStringSubmatch(key); m != nil {
			out[m[1]] = nil
			continue
		}
		names := placeholder.FindAllString(text, -1)
		slices.Sort(names)
		out[key] = slices.Compact(names)
	}
	return out
}

func TestEveryLanguageHasEveryMessageWithTheSamePlaceholders(t *testing.T) {
	languages := load(t).Languages()
	want := shape(languages[0])
	for _, l := range languages[1:] {
		got := shape(l)
		for key, names := range want {
			if have, ok := got[key]; !ok || !slices.Equal(have, names) {
				t.Errorf("%s: %s has placeholders %v (there: %t), want %v", l.Tag(), key, have, ok, names)
			}
			delete(got, key)
		}
		for key := range got {
			t.Errorf("%s: %s is not in %s", l.Tag(), key, languages[0].Tag())
		}
	}
}

func TestNoMessageIsEmpty(t *testing.T) {
	for _, l := range load(t).Languages() {
		for key, text := range l.messages {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s is empty", l.Tag(), key)
			}
		}
	}
}

func TestTheBrowserChoosesTheLanguage(t *testing.T) {
	c := load(t)
	for header, want := range map[string]string{
		"": "en", "en": "en", "ar": "ar", "ar-AE,en;q=0.5": "ar", "en-GB,ar;q=0.9": "en",
		"fr-FR": "en", "fr,ar;q=0.8": "ar", "*": "en", "ar;q=0, en": "en", ";;;===": "en",
	} {
		if got := c.Match(header).Tag(); got != want {
			t.Errorf("Accept-Language %q gives %s, want %s", header, got, want)
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
		got, err := c.Match(tt.language).HTML("disconnect.heading", "app", tt.app)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s %q: %q, %v, want %q", tt.language, tt.app, got, err, tt.want)
		}
	}
}

func TestPlaceholdersInAValueStayAsTheyAre(t *testing.T) {
	got, err := load(t).Match("en").Text("consent.scope.email.unverified", "app", "{email}", "email", "{app}")
	if err != nil || !strings.HasPrefix(got, "{app} is not verified yet. {email} sees") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAMissingMessageIsAnError(t *testing.T) {
	if _, err := load(t).Match("en").Text("no.such.message"); err == nil {
		t.Error("no error")
	}
}

func TestCountsFollowTheLanguage(t *testing.T) {
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

func TestDatesAreWrittenOutAsFarAsTheyGo(t *testing.T) {
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
