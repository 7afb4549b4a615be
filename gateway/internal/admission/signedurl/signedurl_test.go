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

// signer returns a Signer whose keys have the given ids.
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
		t.Fatalf("%s has the wrong prefix or is too long", address)
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

func TestSignedURLsRoundTrip(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	if got, ok := s.VerifyCVLink(token(t, s.CVLink(link))); !ok || got != link {
		t.Errorf("link token: %q, %t", got, ok)
	}
	for address, want := range map[string]signedurl.Photo{
		s.ConsentPhoto(connection, 0):     {ConnectionID: connection},
		s.ConsentPhoto(connection, 1<<30): {ConnectionID: connection, Version: 1 << 30},
		s.ApplicantPhoto(person, now):     {PersonID: person},
		s.ApplicantPhoto("a.b.c", now):    {PersonID: "a.b.c"},
	} {
		if got, ok := s.VerifyPhoto(token(t, address), now); !ok || got != want {
			t.Errorf("%s: got %+v, %t, want %+v", address, got, ok, want)
		}
	}
	again := signer(t, "a")
	if s.CVLink(link) != again.CVLink(link) || s.ConsentPhoto(connection, 3) != again.ConsentPhoto(connection, 3) || s.ConsentPhoto(connection, 3) == s.ConsentPhoto(connection, 4) {
		t.Error("the URL is not determined by the id and the version")
	}
}

func TestApplicantURLExpires(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	address := token(t, s.ApplicantPhoto(person, now))
	for after, want := range map[time.Duration]bool{
		0: true, 5*time.Minute - time.Second: true, 5 * time.Minute: false, time.Hour: false,
	} {
		if _, ok := s.VerifyPhoto(address, now.Add(after)); ok != want {
			t.Errorf("after %s: valid %t", after, ok)
		}
	}
	if _, ok := s.VerifyPhoto(token(t, s.ConsentPhoto(connection, 1)), now.AddDate(10, 0, 0)); !ok {
		t.Error("the photo URL of a consent expired")
	}
}

func TestModifiedTokenIsRejected(t *testing.T) {
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
					t.Fatalf("accepted %s, which was changed at byte %d", changed, i)
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

func TestTokenOfWrongKindIsRejected(t *testing.T) {
	t.Parallel()
	s := signer(t, "a")
	if opensPhoto(s, token(t, s.CVLink("c7."+connection))) {
		t.Error("the token of a durable link opened a photo")
	}
	if opensLink(s, token(t, s.ConsentPhoto(connection, 7))) {
		t.Error("the token of a photo opened a CV")
	}
}

// Base64 does not use all bits of its last character, and Go's decoder skips line breaks.
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
					t.Errorf("%s was accepted instead of %s", other, good)
				}
			}
			for _, other := range []string{good + "\n", "\r\n" + good, good[:9] + "\n" + good[9:]} {
				if opens(s, other) {
					t.Errorf("%q was accepted instead of %s", other, good)
				}
			}
		}
	}
}

func TestMalformedPhotoTokenIsRejected(t *testing.T) {
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
			t.Errorf("%q: got %+v, %t", text, got, ok)
		}
	}
	if opensLink(s, signed("vitae durable CV link v1", "")) {
		t.Error("a signed token without an id opened a CV")
	}
}

func TestNewRejectsInvalidSettings(t *testing.T) {
	t.Parallel()
	if _, err := signedurl.New(testkit.Ring("cv_link", "a"), "https://api.example:port"); err == nil {
		t.Error("accepted an invalid base URL")
	}
	if _, err := signedurl.New(keyring.Ring{}, base); err == nil {
		t.Error("accepted a ring without keys")
	}
}

// Partners have stored links that were signed before keys had ids.
func TestOldURLIsValidWhileKeyIsInRing(t *testing.T) {
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
			t.Errorf("with keys %v: want valid %t", c.ids, c.opens)
		}
		if first := signer(t, c.ids[0]); s.CVLink(link) != first.CVLink(link) || s.ConsentPhoto(connection, 7) != first.ConsentPhoto(connection, 7) {
			t.Errorf("with keys %v: the first key did not sign", c.ids)
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
			t.Errorf("%q was accepted as the link %q", text, got)
		}
		if got, ok := s.VerifyPhoto(text, now); ok && s.ConsentPhoto(got.ConnectionID, got.Version) != base+signedurl.PhotoPath+text {
			t.Errorf("%q was accepted as %+v", text, got)
		}
	})
}
