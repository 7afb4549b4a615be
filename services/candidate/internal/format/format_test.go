package format_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/format"
)

// accepts runs a check and reports whether the check found no error.
func accepts(check func(f *fault.List)) bool {
	f := fault.Argument()
	check(f)
	return f.Err() == nil
}

func TestDateAcceptsThreePrecisions(t *testing.T) {
	for date, want := range map[string]bool{
		"": true, "2024": true, "2024-02": true, "2024-02-29": true, "1999-12-31": true,
		"2023-02-29": false, "2024-13": false, "2024-00": false, "2024-04-31": false, "2024-1": false,
		"24": false, "0000": false, "0000-01": false, "2024-02-29T00:00:00Z": false, " 2024": false,
		"٢٠٢٤": false, "20245": false, "2024/02": false, "May 2024": false, "-024": false, "now": false,
	} {
		if got := accepts(func(f *fault.List) { format.Date(f, "d", date) }); got != want {
			t.Errorf("%q: accepted %t, want %t", date, got, want)
		}
	}
}

func TestDayRequiresFullPrecision(t *testing.T) {
	for date, want := range map[string]bool{"": true, "1990-05-17": true, "1990-05": false, "1990": false, "1990-02-30": false} {
		if got := accepts(func(f *fault.List) { format.Day(f, "d", date) }); got != want {
			t.Errorf("%q: accepted %t, want %t", date, got, want)
		}
	}
}

func TestPeriodMustNotEndBeforeStart(t *testing.T) {
	for _, tc := range []struct {
		start, end string
		want       bool
	}{
		{"2020", "2021", true}, {"2020-05", "2020", true}, {"2020", "2020-05", true}, {"2020-05-01", "2020-05", true},
		{"2020-05-01", "2020-05-01", true}, {"", "2020", true}, {"2020", "", true}, {"", "", true},
		{"2021", "2020", false}, {"2020-06", "2020-05", false}, {"2020-05-02", "2020-05-01", false}, {"2021-01", "2020", false},
	} {
		if got := accepts(func(f *fault.List) { format.Period(f, "s", tc.start, "e", tc.end) }); got != tc.want {
			t.Errorf("%s to %s: accepted %t, want %t", tc.start, tc.end, got, tc.want)
		}
	}
}

func TestLinkMustBeWebURLWithHost(t *testing.T) {
	for link, want := range map[string]bool{
		"":                                 true,
		"https://example.com":              true,
		"HTTP://example.com/a?b=c#d":       true,
		"http://127.0.0.1:8080/x":          true,
		"https://مثال.إختبار/سيرة":         true,
		"https://[2001:db8::1]/":           true,
		"example.com":                      false,
		"//example.com":                    false,
		"https://":                         false,
		"https:///path":                    false,
		"https://:443/":                    false,
		"https:example.com":                false,
		"ftp://example.com":                false,
		"javascript:alert(1)":              false,
		"file:///etc/passwd":               false,
		"data:text/html,x":                 false,
		"https://user:pass@example.com/":   false,
		"https://exa mple.com/":            false,
		"https://example.com/a b":          false,
		"https://example.com/\u0085":       false,
		"https://example.com/\n":           false,
		"https://example.com/%zz":          false,
		"https://e.com/" + long("a", 2048): false,
	} {
		if got := accepts(func(f *fault.List) { format.Link(f, "l", link) }); got != want {
			t.Errorf("%.60q: accepted %t, want %t", link, got, want)
		}
	}
}

func TestImageMustBeLinkOrSmallInlineImage(t *testing.T) {
	inline := func(kind string, size int) string {
		return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(make([]byte, size))
	}
	for name, tc := range map[string]struct {
		image string
		want  bool
	}{
		"none":                          {"", true},
		"a link":                        {"https://example.com/me.jpg", true},
		"png":                           {inline("image/png", 10), true},
		"jpeg":                          {inline("image/jpeg", 11), true},
		"webp":                          {inline("image/webp", 12), true},
		"gif":                           {inline("image/gif", 12), true},
		"largest":                       {inline("image/png", format.MaxInlineImage), true},
		"too large":                     {inline("image/png", format.MaxInlineImage+1), false},
		"far too large":                 {inline("image/png", 2*format.MaxInlineImage), false},
		"svg":                           {inline("image/svg+xml", 10), false},
		"html":                          {inline("text/html", 10), false},
		"not base64":                    {"data:image/png;base64,****", false},
		"a line break":                  {"data:image/png;base64,AAAA\nAAAA", false},
		"a type that is not an image":   {"data:image/png;base64,", false},
		"not encoded":                   {"data:image/png,abc", false},
		"a file":                        {"file:///etc/passwd", false},
		"a long link":                   {"https://e.com/" + long("a", 3000), false},
		"unused bits that are not zero": {"data:image/png;base64,AB==", false},
	} {
		if got := accepts(func(f *fault.List) { format.Image(f, "i", tc.image) }); got != tc.want {
			t.Errorf("%s: accepted %t, want %t", name, got, tc.want)
		}
	}
}

func TestRequiredTextMustNotBeBlank(t *testing.T) {
	for text, want := range map[string]bool{"a": true, "": false, "  ": false, "\t\n": false, "\u00a0": false} {
		if got := accepts(func(f *fault.List) { format.Required(f, "t", text, 4) }); got != want {
			t.Errorf("%q: accepted %t, want %t", text, got, want)
		}
	}
}

func TestNameMustBeOneVisibleLine(t *testing.T) {
	for name, want := range map[string]bool{
		"Sara": true, "سارة\u200f (Go)": true, "می\u200cخواهم": true,
		"": false, " ": false, "\u200b": false, "a\nb": false, "a\tb": false, "a\u2028b": false, "a\u202eb": false, "\u2066a": false, "abcdefghijklm": false,
	} {
		if got := accepts(func(f *fault.List) { format.Name(f, "n", name, 12) }); got != want {
			t.Errorf("%q: accepted %t, want %t", name, got, want)
		}
	}
}

func TestEmailMustHaveNoDisplayName(t *testing.T) {
	for address, want := range map[string]bool{
		"sara@example.com": true, "a+b@x.org": true,
		"": false, "sara": false, "Sara <sara@example.com>": false, "a@b@c": false, " sara@example.com": false,
		long("a", 250) + "@x.org": false,
	} {
		if got := accepts(func(f *fault.List) { format.Email(f, "e", address) }); got != want {
			t.Errorf("%.40q: accepted %t, want %t", address, got, want)
		}
	}
}

func TestErrorNamesFieldNotValue(t *testing.T) {
	f := fault.Argument()
	format.Link(f, "profile.avatar_url", "javascript:secret")
	format.Required(f, "profile.name", "", 5)
	e, ok := errs.As(f.Err())
	if !ok || e.Kind != errs.Invalid || e.Code != fault.CodeArgument || e.Field() != "profile.avatar_url" {
		t.Fatalf("error %v has no code", f.Err())
	}
	if len(e.Violations) != 2 || e.Violations[1].Field != "profile.name" {
		t.Errorf("the violations are %+v", e.Violations)
	}
	if !strings.HasPrefix(e.Message, "profile.avatar_url: must be ") || strings.Contains(e.Message, "secret") {
		t.Errorf("the message is %q", e.Message)
	}
}

func long(s string, n int) string { return strings.Repeat(s, n) }
