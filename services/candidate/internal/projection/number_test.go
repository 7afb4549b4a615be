package projection

import (
	"strings"
	"testing"
)

func TestDigitsOfOtherScriptsAreConverted(t *testing.T) {
	for written, want := range map[string]string{
		"٠١٢٣٤٥٦٧٨٩": "0123456789", "۰۱۲۳۴۵۶۷۸۹": "0123456789", "０１２３４５６７８９": "0123456789",
		"＋٩٧١": "+971", "+971 50": "+971 50", "سارة-x": "سارة-x",
		"\u065f\u066a\u06ef\u06fa\uff0f\uff1a": "\u065f\u066a\u06ef\u06fa\uff0f\uff1a", // adjacent characters
	} {
		if got := westernDigits(written); got != want {
			t.Errorf("%s becomes %s, want %s", written, got, want)
		}
	}
}

func TestBareNumbersNeedMinimumLength(t *testing.T) {
	for piece, want := range map[string]bool{
		"123456": true, "12345": false, "12 34-(5)6": true, "12.34+56": true, "1-----": false, "123456a": false, "a123456": false,
		strings.Repeat("1", 15): true, strings.Repeat("1", 16): false, "": false,
	} {
		if got := anyNumber([]string{"x", piece}, 6); got != want {
			t.Errorf("%q counts as a number: %t", piece, got)
		}
	}
}

func TestInternationalNumbersAreFound(t *testing.T) {
	for piece, want := range map[string]bool{
		"+9715012": true, "+971501": false, "+" + strings.Repeat("1", 15): true, "+" + strings.Repeat("1", 16): false,
		"+(971) 50-12.3": true, "call+9715012": false, "Z+9715012": false, "a+9715012": false, "9+9715012": false, "0+9715012": false,
		"+9715012a": false, "+9715012z": false, "+9715012A": false, "+9715012Z": false, "+9715012é": false, "é+9715012": false,
		"-+9715012": true, "+9715012_": true, "_+9715012-": true, "`+9715012{": true, "@+9715012[": true, "/+9715012:": true,
		"c++9715012": false, "+9715012+": false, "9715012": false, "+x +9715012": true,
	} {
		if got := hasInternational(piece); got != want {
			t.Errorf("%q contains a number: %t", piece, got)
		}
	}
}

func TestOwnNumberMatchesByFinalDigits(t *testing.T) {
	for phone, want := range map[string]string{
		"": "", "123456": "", "1234567": "1234567", "12345678": "12345678", "+971 50 123 4567": "01234567", "٠٥٠-١٢٣-٤٥٦٧": "01234567",
	} {
		if got := ownNumber(phone); got != want {
			t.Errorf("%s is recognized by %q, want %q", phone, got, want)
		}
	}
}

func TestLinkDependsOnHostAndParameters(t *testing.T) {
	for link, want := range map[string]struct{ tells, bare bool }{
		"https://t.me/123456":                         {true, false},
		"https://t.me/12345":                          {false, false},
		"https://sub.T.me./123456":                    {true, false},
		"https://notzalo.me/123456":                   {false, false},
		"https://x.example/?phone=12345":              {true, false},
		"https://x.example/?phone=1234":               {false, false},
		"https://x.example/?MSISDN=12345":             {true, false},
		"https://x.example/?page=12345":               {false, false},
		"https://x.example/?whatsapp=%D9%A1%D9%A2345": {true, false},
		"https://x.example/tel:1":                     {true, false},
		"https://x.example/tel:x":                     {false, false},
		"https://x.example/hotel:1":                   {false, false},
		"https://x.example/1234567890":                {false, true},
		"https://x.example/123456789":                 {false, false},
		"https://1234567890.example/":                 {false, true},
		"https://sub.acm.org/1234567890":              {false, false},
		"https://x.example/u55555555":                 {true, false}, // the person's own
		"https://x.example/u5555555":                  {false, false},
	} {
		a, ok := readAddress(link)
		if !ok {
			t.Fatal(link)
		}
		if tells, bare := a.tellsNumber("55555555"), a.hasBareNumber(); tells != want.tells || bare != want.bare {
			t.Errorf("%s has a marked number: %t, bare: %t", link, tells, bare)
		}
	}
	for _, link := range []string{"", "x", "ftp://x.example/", "mailto:a@b.example", "http://[::1"} {
		if _, ok := readAddress(link); ok {
			t.Errorf("%q is parsed as a URL", link)
		}
	}
	for link, want := range map[string]string{
		"": "", " ": " ", "https://x.example/1": "https://x.example/1", "tel:1": "", "https://wa.me/1": "", "https://x.example/1234567890": "https://x.example/1234567890",
	} {
		if got := withoutNumber(link, ""); got != want {
			t.Errorf("%q: %q is shown", link, got)
		}
	}
}

func TestNewPagesRequiresAbsoluteURL(t *testing.T) {
	for _, address := range []string{"", "/p", "app.example", "https://", "://x", "http:x", "//app.example"} {
		if _, err := NewPages(address); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
	p, err := NewPages("https://app.example/")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.profileURL(seen{public: true, username: "a b/c"}); got != "https://app.example/p/a%20b%2Fc" {
		t.Errorf("URL of the page is %s", got)
	}
}
