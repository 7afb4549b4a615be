package emailaddress

import (
	"net/mail"
	"strings"
	"testing"
)

func TestAddressesAreNormalized(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"mira@example.com":               "mira@example.com",
		" Mira@Example.COM ":             "Mira@Example.COM",
		"mira@bücher.example":            "mira@xn--bcher-kva.example",
		"mira@BÜCHER.example":            "mira@xn--bcher-kva.example",
		"mira@bu\u0308cher.example":      "mira@xn--bcher-kva.example",
		"mira@xn--bcher-kva.example":     "mira@xn--bcher-kva.example",
		"mira@XN--BCHER-KVA.example":     "mira@XN--BCHER-KVA.example",
		"mira@مثال.إختبار":               "mira@xn--mgbh0fb.xn--kgbechtv",
		"mira@例え。テスト":                    "mira@xn--r8jz45g.xn--zckzah",
		"a..b@example.com":               "a..b@example.com",
		".a+tag@localhost":               ".a+tag@localhost",
		strings.Repeat("a", 64) + "@b.c": strings.Repeat("a", 64) + "@b.c",
	} {
		got, ok := Parse(typed)
		if !ok || got != want {
			t.Errorf("%q: %q, %v, want %q", typed, got, ok, want)
		}
		if key := Key(typed); key != strings.ToLower(want) {
			t.Errorf("Key(%q) = %q", typed, key)
		}
		// An accepted address must be usable in an email.
		if back, err := mail.ParseAddress(Header(got)); err != nil || back.Address != got {
			t.Errorf("Header(%q) = %q, which parses to %v, %v", typed, Header(got), back, err)
		}
	}
}

func TestInvalidAddressesAreRejected(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{
		"", "mira", "@example.com", "mira@", "mira@-a.example", "mira@a_b.example", "mira@example.com.", "mira@a..b", "mira @example.com", "mira@exa mple.com",
		"ميرا@مثال.إختبار", "mira@example.com\r\nBcc: x@y.example", "<mira@example.com>", "a,b@example.com", "mira@[192.0.2.1]", "mira@\u200d.example",
		"mira@a\u0000.example", "mira@" + strings.Repeat("a", 64) + ".example", strings.Repeat("a", 65) + "@b.c", "a@" + strings.Repeat("b.", 130) + "c",
	} {
		if got, ok := Parse(typed); ok {
			t.Errorf("%q was accepted as %q", typed, got)
		}
	}
	if Key(" Not One ") != "not one" {
		t.Errorf("the key of an invalid address is %q, want it in lower case", Key(" Not One "))
	}
}

func TestLocalPartIsQuotedWhereNeeded(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"mira@example.com": "<mira@example.com>", "a..b@example.com": `<"a..b"@example.com>`, "a.@example.com": `<"a."@example.com>`,
	} {
		if got := Header(address); got != want {
			t.Errorf("Header(%s) = %s", address, got)
		}
	}
}
