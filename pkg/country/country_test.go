package country_test

import (
	"testing"

	"vitae.internal/pkg/country"
)

func TestNameIsInRequestedLanguage(t *testing.T) {
	for _, c := range []struct{ code, tag, want string }{
		{"SA", "en", "Saudi Arabia"}, {"SA", "ar", "المملكة العربية السعودية"}, {"AE", "en", "United Arab Emirates"}, {"DE", "ar", "ألمانيا"},
		{"XK", "en", "Kosovo"}, {"QQ", "en", "QQ"}, {"<b>", "en", "<b>"}, {"", "ar", ""}, {"DE", "no tag", "DE"},
	} {
		if got := country.Name(c.code, c.tag); got != c.want {
			t.Errorf("%s in %s is %q, want %q", c.code, c.tag, got, c.want)
		}
	}
}
