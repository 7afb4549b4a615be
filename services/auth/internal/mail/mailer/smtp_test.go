package mailer_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	gomail "github.com/wneessen/go-mail"

	domain "vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/mailer"
)

var sender = &mail.Address{Name: "Vitae", Address: "vitae@example.com"}

var message = domain.Message{
	ID: "mail_1@example.com", To: "noor@example.org", Subject: "تأكيد عنوان بريدك", Text: "نص الرسالة\nhttps://app.example/x?token=a.b\n", HTML: "<p>نص</p>",
	Language: "ar", Date: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
}

func transport(t *testing.T, url string, plain bool, options ...gomail.Option) *mailer.SMTP {
	t.Helper()
	out, err := mailer.NewSMTP(mailer.SMTPConfig{URL: url, From: sender, Plain: plain, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEmailHasBothPartsAndMessageID(t *testing.T) {
	t.Parallel()
	s := serve(t, "127.0.0.1:0", nil, false)
	if err := transport(t, "smtp://"+s.addr, false).Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	got, err := mail.ReadMessage(strings.NewReader(s.taken[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Message-ID": "<mail_1@example.com>", "From": `"Vitae" <vitae@example.com>`, "To": "<noor@example.org>",
		"Date": "Sun, 01 Mar 2026 09:00:00 +0000", "Auto-Submitted": "auto-generated", "Content-Language": "ar",
	} {
		if have := got.Header.Get(name); have != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
	if kind := got.Header.Get("Content-Type"); !strings.HasPrefix(kind, "multipart/alternative") || strings.Index(s.taken[0], "text/plain") > strings.Index(s.taken[0], "text/html") {
		t.Errorf("the content is %s:\n%s", kind, s.taken[0])
	}
}

func TestRemoteServerNeedsTLS(t *testing.T) {
	t.Parallel()
	const host = "mail.example.com"
	own, trust := certificate(t, host)
	other, trustOther := certificate(t, "somebody.else.example")
	secured, bare := serve(t, "127.0.0.1:0", own, false), serve(t, "127.0.0.1:0", nil, false)
	stranger := serve(t, "127.0.0.1:0", other, false)
	for name, c := range map[string]struct {
		server  *server
		url     string
		plain   bool
		options []gomail.Option
		arrives bool
	}{
		"STARTTLS":                     {secured, "smtp://" + host, false, trust(secured.addr), true},
		"STARTTLS and a password":      {secured, "smtp://vitae:pass%3Aword%2F@" + host, false, trust(secured.addr), true},
		"a wrong password":             {secured, "smtp://vitae:wrong@" + host, false, trust(secured.addr), false},
		"an unknown authority":         {secured, "smtp://" + host, false, at(secured.addr), false},
		"another name":                 {stranger, "smtp://" + host, false, trustOther(stranger.addr), false},
		"another name, plain allowed":  {stranger, "smtp://" + host, true, trustOther(stranger.addr), false},
		"no TLS":                       {bare, "smtp://" + host, false, at(bare.addr), false},
		"no TLS, allowed":              {bare, "smtp://" + host, true, at(bare.addr), true},
		"no TLS, allowed, a password":  {bare, "smtp://vitae:pass%3Aword%2F@" + host, true, at(bare.addr), false},
		"TLS that is offered, allowed": {secured, "smtp://" + host, true, trust(secured.addr), true},
	} {
		before := len(c.server.taken)
		err := transport(t, c.url, c.plain, c.options...).Send(t.Context(), message)
		if (err == nil) != c.arrives || len(c.server.taken)-before == 1 != c.arrives {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (!errors.Is(err, domain.ErrUnusable) || strings.Contains(err.Error(), "word")) {
			t.Errorf("%s: %v", name, err)
		}
		if c.arrives && c.server == secured && !secured.secured[before] {
			t.Errorf("%s: the email was sent unencrypted", name)
		}
	}
	if len(secured.users) != 1 || len(bare.users) != 0 {
		t.Errorf("signed in %v and %v", secured.users, bare.users)
	}
}

func TestImplicitTLSIsUsed(t *testing.T) {
	t.Parallel()
	own, _ := certificate(t, "127.0.0.1")
	s := serve(t, "127.0.0.1:0", own, true)
	if err := transport(t, "smtps://"+s.addr, true).Send(t.Context(), message); !errors.Is(err, domain.ErrUnusable) {
		t.Errorf("with an unknown certificate authority: %v", err)
	}
	config := own.Clone()
	config.InsecureSkipVerify = true //nolint:gosec // the certificate is valid for a name, but not for the IP address
	if err := transport(t, "smtps://"+s.addr, false, gomail.WithTLSConfig(config)).Send(t.Context(), message); err != nil || len(s.taken) != 1 {
		t.Errorf("%d emails, %v", len(s.taken), err)
	}
}

func TestPermanentRejectionIsDistinguished(t *testing.T) {
	t.Parallel()
	s := serve(t, "127.0.0.1:0", nil, false)
	out := transport(t, "smtp://"+s.addr, false)
	for _, c := range []struct {
		step              string
		code              int
		refused, unusable bool
	}{
		{"rcpt", 550, true, false}, {"data", 554, true, false}, {"rcpt", 450, false, false}, {"data", 451, false, false},
		{"mail", 550, false, true}, {"mail", 451, false, false},
	} {
		s.answers(func(step string) error {
			if step != c.step {
				return nil
			}
			return &smtp.SMTPError{Code: c.code, Message: "no"}
		})
		err := out.Send(t.Context(), message)
		refused, unusable := errors.Is(err, domain.ErrRefused), errors.Is(err, domain.ErrUnusable)
		if err == nil || refused != c.refused || unusable != c.unusable {
			t.Errorf("code %d in step %s: %v", c.code, c.step, err)
		}
	}
	if len(s.taken) != 0 {
		t.Errorf("%d emails were accepted", len(s.taken))
	}
	s.answers(nil)
	if err := out.Send(t.Context(), message); err != nil || len(s.taken) != 1 {
		t.Errorf("afterwards: %d emails, %v", len(s.taken), err)
	}
}

func TestUnavailableServerIsUnusable(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent := transport(t, "smtp://"+l.Addr().String(), false, gomail.WithTimeout(50*time.Millisecond))
	if err := silent.Send(t.Context(), message); !errors.Is(err, domain.ErrUnusable) {
		t.Errorf("silent server: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := silent.Send(ctx, message); !errors.Is(err, domain.ErrUnusable) {
		t.Errorf("canceled: %v", err)
	}
	_ = l.Close()
	if err := transport(t, "smtp://"+l.Addr().String(), false).Send(t.Context(), message); !errors.Is(err, domain.ErrUnusable) {
		t.Errorf("stopped server: %v", err)
	}
}

// Sign-up forms accept a..b@example.com, but RFC 5322 requires such a local part to be quoted.
func TestUnusualLocalPartIsQuoted(t *testing.T) {
	t.Parallel()
	s := serve(t, "127.0.0.1:0", nil, false)
	unusual := message
	unusual.To = "a..b@example.com"
	if err := transport(t, "smtp://"+s.addr, false).Send(t.Context(), unusual); err != nil {
		t.Fatal(err)
	}
	got, err := mail.ReadMessage(strings.NewReader(s.taken[0]))
	if err != nil || got.Header.Get("To") != `<"a..b"@example.com>` {
		t.Errorf("to %q, %v", got.Header.Get("To"), err)
	}
}

func TestUnwritableAddressIsRejected(t *testing.T) {
	t.Parallel()
	broken := message
	broken.To = "a@b@c\r\nBcc: x@example.com"
	if err := transport(t, "smtp://127.0.0.1:1", false).Send(t.Context(), broken); !errors.Is(err, domain.ErrRefused) {
		t.Errorf("%v", err)
	}
}

func TestInvalidURLErrorHidesThePassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://h", "smtp://", "smtp://user:secret@", "smtp://user:secret@h/path", "smtp://user:secret@h?x=1", "smtp://user:secret@h:0x1", "smtp://u:secret@h:70000"} {
		if _, err := mailer.NewSMTP(mailer.SMTPConfig{URL: url, From: sender}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestFolderHasOneFilePerEmail(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mail")
	out, err := mailer.NewFolder(dir, sender)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // sending the same email twice creates one file
		if err := out.Send(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "mail_1.eml" {
		t.Fatalf("%v, %v", files, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, files[0].Name()))
	if err != nil || !bytes.Contains(raw, []byte("<mail_1@example.com>")) {
		t.Errorf("%v:\n%s", err, raw)
	}
}
