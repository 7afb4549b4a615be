package maillink_test

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/mail/maillink"
)

func made(t *testing.T, keys string) *maillink.Links {
	t.Helper()
	l, err := maillink.New("https://app.example", testkit.Ring("record", keys))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLinkNeedsAKeyOfTheRing(t *testing.T) {
	l, id := made(t, "a"), maillink.NewID()
	u, err := url.Parse(l.URL("/reset/choose", id))
	if err != nil || u.Host != "app.example" || u.Path != "/reset/choose" {
		t.Fatalf("%v, %v", u, err)
	}
	token := u.Query().Get("token")
	if hash, err := l.Open(token); err != nil || hash != maillink.Hash(id) {
		t.Errorf("opened %x, %v", hash, err)
	}
	other := maillink.NewID()
	for name, forged := range map[string]string{
		"nothing": "", "the id alone": id, "no signature": id + ".", "another id": other + strings.TrimPrefix(token, id),
		"a truncated signature": token[:len(token)-2], "no base64": id + ".!!", "of another ring": made(t, "b").Token(id),
	} {
		if _, err := l.Open(forged); !errs.HasCode(err, maillink.ErrDead.Code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInvalidAppURLIsRejected(t *testing.T) {
	for _, app := range []string{"", "app.example", "https://", "https://app.example/", "ftp://app.example"} {
		if _, err := maillink.New(app, testkit.Ring("record", "a")); err == nil || !strings.Contains(err.Error(), "VITAE_APP_URL") {
			t.Errorf("%q: %v", app, err)
		}
	}
}
