package signedurl_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/testkit"
)

const (
	link       = "lnk_0123456789abcdefghijklmnop"
	connection = "con_0123456789abcdefghijklmnop"
	person     = "usr_0123456789abcdefghijklmnop"
	base       = "https://api.example"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// signer returns a Signer with the keys of these ids.
func signer(t testing.TB, ids ...string) *signedurl.Signer {
	t.Helper()
	s, err := signedurl.New(testkit.Ring("cv_link", ids...), base)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func token(t testing.TB, address string) string {
	t.Helper()
	path, below := strings.CutPrefix(address, base)
	at := strings.LastIndexByte(path, '/') + 1
	if prefix := path[:at]; !below || prefix != signedurl.CVLinkPath && prefix != signedurl.PhotoPath || len(address) > 255 {
		t.Fatalf("%s has another prefix, or does not fit a short column", address)
	}
	return path[at:]
}

// signed returns a token with any text, signed with key a.
func signed(purpose, text string) string {
	mac := hmac.New(sha256.New, testkit.Secret("a"))
	mac.Write([]byte(purpose + "\x00" + text))
	return base64.RawURLEncoding.EncodeToString(append(mac.Sum(nil), text...))
}

func opensLink(s *signedurl.Signer, token string) bool { _, ok := s.VerifyCVLink(token); return ok }

func opensPhoto(s *signedurl.Signer, token string) bool {
	_, ok := s.VerifyPhoto(token, now)
	return ok
}

func TestAddressRoundTrip(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	if got, ok := s.VerifyCVLink(token(t, s.CVLink(link))); !ok || got != link {
		t.Errorf("the link is %q, %t", got, ok)
	}
	for address, want := range map[string]signedurl.Photo{
		s.ConsentPhoto(connection, 0):     {ConnectionID: connection},
		s.ConsentPhoto(connection, 1<<30): {ConnectionID: connection, Version: 1 << 30},
		s.ApplicantPhoto(person, now):     {PersonID: person},
		s.ApplicantPhoto("a.b.c", now):    {PersonID: "a.b.c"},
	} {
		if got, ok := s.VerifyPhoto(token(t, address), now); !ok || got != want {
			t.Errorf("%s is %+v, %t; want %+v", address, got, ok, want)
		}
	}
	again := signer(t, "a")
	if s.CVLink(link) != again.CVLink(link) || s.ConsentPhoto(connection, 3) != again.ConsentPhoto(connection, 3) || s.ConsentPhoto(connection, 3) == s.ConsentPhoto(connection, 4) {
		t.Error("an address is not determined by its text and version")
	}
}

func TestApplicantAddressExpires(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	address := token(t, s.ApplicantPhoto(person, now))
	for after, want := range map[time.Duration]bool{
		0: true, 5*time.Minute - time.Second: true, 5 * time.Minute: false, time.Hour: false,
	} {
		if _, ok := s.VerifyPhoto(address, now.Add(after)); ok != want {
			t.Errorf("after %s it works: %t", after, ok)
		}
	}
	if _, ok := s.VerifyPhoto(token(t, s.ConsentPhoto(connection, 1)), now.AddDate(10, 0, 0)); !ok {
		t.Error("the address of a consent expires")
	}
}

func TestChangedTokenIsRefused(t *testing.T) {
	t.Parallel()
	s, other := signer(t, "a"), signer(t, "b")
	for _, c := range []struct {
		good, foreign string
		opens         func(*signedurl.Signer, string) bool
	}{
		{s.CVLink(link), other.CVLink(link), opensLink},
		{s.ConsentPhoto(connection, 7), other.ConsentPhoto(connection, 7), opensPhoto},
		{s.ApplicantPhoto(person, now), other.ApplicantPhoto(person, now), opensPhoto},
	} {
		good := token(t, c.good)
		for i := range good {
			for _, char := range "A_z9-=." {
				if changed := good[:i] + string(char) + good[i+1:]; changed != good && c.opens(s, changed) {
					t.Fatalf("accepted %s, changed at %d", changed, i)
				}
			}
		}
		for _, bad := range []string{
			"", "a", link, good + "A", good + "=", good[1:], good[:len(good)-1], strings.Repeat("A", 43), strings.Repeat("A", 1<<20), token(t, c.foreign),
		} {
			if c.opens(s, bad) {
				t.Errorf("accepted %.100s", bad)
			}
		}
	}
}

func TestTokenOfOtherKindIsRefused(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	if opensPhoto(s, token(t, s.CVLink("c7."+connection))) {
		t.Error("a durable link opens a photo")
	}
	if opensLink(s, token(t, s.ConsentPhoto(connection, 7))) {
		t.Error("the address of a photo opens a CV")
	}
}

// Base64 leaves bits of its last character unused, and Go's decoder skips line breaks.
func TestTokenHasOneEncoding(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	for _, more := range []string{"", "q", "qr"} {
		for good, opens := range map[string]func(*signedurl.Signer, string) bool{
			token(t, s.CVLink(link+more)): opensLink, token(t, s.ConsentPhoto(connection+more, 7)): opensPhoto,
		} {
			last := len(good) - 1
			for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
				if other := good[:last] + string(c); other != good && opens(s, other) {
					t.Errorf("%s is accepted for %s", other, good)
				}
			}
			for _, other := range []string{good + "\n", "\r\n" + good, good[:9] + "\n" + good[9:]} {
				if opens(s, other) {
					t.Errorf("%q is accepted for %s", other, good)
				}
			}
		}
	}
}

func TestMalformedPhotoTokenIsRefused(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	for text, want := range map[string]bool{
		"c7." + connection:               true,
		"c7.":                            false,
		"c7":                             false,
		"c." + connection:                false,
		"c?." + connection:               false,
		"x7." + connection:               false,
		"a7." + person:                   false, // expired in 1970
		"c7." + strings.Repeat("x", 349): true,
		"c7." + strings.Repeat("x", 350): false,
		"":                               false,
	} {
		if got, ok := s.VerifyPhoto(signed("vitae photo address v1", text), now); ok != want || !ok && got != (signedurl.Photo{}) {
			t.Errorf("%q is %+v, %t", text, got, ok)
		}
	}
	if opensLink(s, signed("vitae durable CV link v1", "")) {
		t.Error("a signed token without an id opens a CV")
	}
}

func TestNewRefusesInvalidSettings(t *testing.T) {
	t.Parallel()
	if _, err := signedurl.New(testkit.Ring("cv_link", "a"), "https://api.example:port"); err == nil {
		t.Error("accepted an invalid base URL")
	}
	if _, err := signedurl.New(keyring.Ring{}, base); err == nil {
		t.Error("accepted a ring without keys")
	}
}

// Partners have stored links from before keys had ids.
func TestOldAddressOpensWhileKeyIsInRing(t *testing.T) {
	t.Parallel()
	oldLink, oldPhoto := signed("vitae durable CV link v1", link), signed("vitae photo address v1", "c7."+connection)
	for _, c := range []struct {
		ids   []string
		opens bool
	}{
		{[]string{"a"}, true}, {[]string{"a", "b"}, true}, {[]string{"b", "a"}, true}, {[]string{"c", "b", "a"}, true}, {[]string{"b"}, false},
	} {
		s := signer(t, c.ids...)
		if opensLink(s, oldLink) != c.opens || opensPhoto(s, oldPhoto) != c.opens {
			t.Errorf("with %v: want it to open %t", c.ids, c.opens)
		}
		if first := signer(t, c.ids[0]); s.CVLink(link) != first.CVLink(link) || s.ConsentPhoto(connection, 7) != first.ConsentPhoto(connection, 7) {
			t.Errorf("with %v another key than the first signs", c.ids)
		}
	}
}

func FuzzVerify(f *testing.F) {
	s := signer(f, "a")
	f.Add(token(f, s.CVLink(link)))
	f.Add(token(f, s.ConsentPhoto(connection, 1)))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := s.VerifyCVLink(text); ok && s.CVLink(got) != base+signedurl.CVLinkPath+text {
			t.Errorf("%q is accepted as the link %q", text, got)
		}
		if got, ok := s.VerifyPhoto(text, now); ok && s.ConsentPhoto(got.ConnectionID, got.Version) != base+signedurl.PhotoPath+text {
			t.Errorf("%q is accepted as %+v", text, got)
		}
	})
}
