package app_test

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// texts returns all emails to an address, decoded, in the order in which they were queued. Each string consists of
// the language, the plain text and the HTML.
func (w *world) texts(to string) (all []string) {
	w.Helper()
	files, err := filepath.Glob(filepath.Join(w.cfg.Mail.Dir, "*.eml"))
	w.must(err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		w.must(err)
		m, err := mail.ReadMessage(bytes.NewReader(raw))
		w.must(err)
		if m.Header.Get("To") != "<"+to+">" {
			continue
		}
		_, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
		w.must(err)
		text := m.Header.Get("Content-Language")
		for parts := multipart.NewReader(m.Body, parameters["boundary"]); ; {
			part, err := parts.NextPart() // NextPart decodes quoted-printable
			if errors.Is(err, io.EOF) {
				break
			}
			w.must(err)
			body, err := io.ReadAll(part)
			w.must(err)
			text += "\n" + string(body)
		}
		all = append(all, text)
	}
	return all
}

// awaitNotices waits until an address has received n emails of any kind and the outbox is empty.
func (w *world) awaitNotices(to string, n int) []string {
	w.Helper()
	var left int
	eventually(w, "the mails", func() bool {
		w.must(w.db.QueryRow(w.Context(), "SELECT count(*) FROM mail_outbox").Scan(&left))
		return left == 0
	})
	all := w.texts(to)
	if len(all) != n {
		w.Fatalf("%d emails, want %d: %s", len(all), n, strings.Join(all, "\n"))
	}
	return all
}

func TestSignInFromNewBrowserSendsNotice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: "layla@example.com", Password: plainWord})
	w.must(err)
	w.awaitNotices("layla@example.com", 0) // an imported person gets no notice
	var device string
	signIn := func(password string) {
		t.Helper()
		w.clock.Advance(time.Minute)
		in, err := w.sessions.SignIn(t.Context(), &authv1.SignInRequest{
			Email: "layla@example.com", Password: password, ClientIp: "203.0.113.7", DeviceToken: device, DeviceSince: timestamppb.New(w.clock.Now()),
			Browser: &authv1.Browser{Name: "Firefox", System: "Linux"}, Language: "ar",
		})
		w.must(err)
		device = in.GetDeviceToken()
	}
	signIn(plainWord)
	notice := w.awaitNotices("layla@example.com", 1)[0]
	for _, want := range []string{"ar\n", "1 مارس 2026 الساعة 09:01", "\u2068Firefox\u2069", "\u2068Linux\u2069", w.cfg.AppURL + "/account", `dir="rtl"`} {
		if !strings.Contains(notice, want) {
			t.Errorf("the notice lacks %q: %s", want, notice)
		}
	}
	signIn(plainWord)
	w.awaitNotices("layla@example.com", 1)
	device = ""
	signIn(plainWord)
	w.awaitNotices("layla@example.com", 2)
}

func TestNewOrWiderConnectionSendsNotice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("layla@example.com"), w.confidential()
	w.connect(p, c, "profile", "email")
	all := w.awaitNotices(p.email, 2)
	if made := all[1]; !strings.Contains(made, "\u2068Partner site\u2069 was connected") || !strings.Contains(made, w.cfg.AppURL+"/connections") ||
		!strings.Contains(made, "1 March 2026 at 09:00 UTC") || !strings.Contains(made, "an unknown browser") {
		t.Errorf("the notice is %s", made)
	}
	w.connect(p, c, "profile", "email") // grants the same scopes as before
	w.connect(p, c, "profile")          // fewer scopes
	w.awaitNotices(p.email, 2)
	w.connect(p, c, "profile", "cv:read")
	if more := w.awaitNotices(p.email, 3)[2]; !strings.Contains(more, "\u2068Partner site\u2069 is connected to your Vitae account and was allowed to see more") {
		t.Errorf("the notice is %s", more)
	}
	_, err := w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Id: w.connectionOf(p).GetId(), Actor: bySession(p)})
	w.must(err)
	w.connect(p, c, "profile")
	if again := w.awaitNotices(p.email, 4)[3]; !strings.Contains(again, "was connected") {
		t.Errorf("the notice is %s", again)
	}
}

// The .proto files reject email addresses that are longer than any mailbox can have, but accept the longest possible
// one.
func TestEmailMayHave254Characters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	local, label := strings.Repeat("a", 64)+"@", strings.Repeat("b", 60)+"."
	for _, length := range []int{200, 201, 254} {
		host := strings.Repeat(label, 4)
		email := local + host[len(host)-(length-len(local)-len("com")):] + "com"
		if len(email) != length {
			t.Fatalf("the address has %d characters", len(email))
		}
		w.must(w.wants(email))
		done, err := w.completes(w.tokenIn(w.awaitMail(email, 1)), plainWord)
		w.must(err)
		if who := done.GetSession().GetPerson(); who.GetEmail() != email || w.newProfile(who.GetId()).GetPerson().GetEmail() != email {
			t.Errorf("%d characters: made %v", length, done)
		}
		w.must(w.signIn(email, plainWord, "203.0.113.9").err)
	}
	w.isRefused(w.wants(local+strings.Repeat("b.", 92)+"example"), "", "email")
}
