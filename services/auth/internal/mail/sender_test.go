package mail_test

import (
	"context"
	"errors"
	"log/slog"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/services/auth/internal/mail"
)

var began = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// links is a fake that builds URLs with readable paths and ids.
type links struct{}

func (links) URL(path, id string) string { return "https://app.example" + path + "?token=" + id }
func (links) Plain(path string) string   { return "https://app.example" + path }
func (links) Token(id string) string     { return "token-of-" + id }

// post is a fake outbox and mail server.
type post struct {
	due     map[string]*mail.Due
	at      map[string]time.Time
	dropped []string
	sent    []mail.Message
	answer  error
	// settled is the error returned by DropMail.
	settled error
}

func (p *post) LeaseMail(_ context.Context, now, until time.Time, _ int) (leased []mail.Due, _ error) {
	for id, d := range p.due {
		if !p.at[id].After(now) {
			p.at[id] = until
			d.Attempts++
			leased = append(leased, *d)
		}
	}
	return leased, nil
}

func (p *post) DeferMail(_ context.Context, id string, at time.Time) error {
	p.at[id] = at
	return nil
}

func (p *post) DropMail(_ context.Context, id string) error {
	p.dropped = append(p.dropped, id)
	delete(p.due, id)
	return p.settled
}

func (p *post) Send(_ context.Context, m mail.Message) error {
	p.sent = append(p.sent, m)
	return p.answer
}

// sending returns an outbox with one entry, the clock, and a function that runs a single round of the job.
func sending(t *testing.T, d mail.Due) (*post, *clock.Fake, func()) {
	t.Helper()
	p := &post{due: map[string]*mail.Due{d.ID: &d}, at: map[string]time.Time{}}
	clk := clock.NewFake(began)
	s := sender(t, p, clk)
	return p, clk, func() {
		if err := s.Job().Round(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func sender(t *testing.T, p *post, clk clock.Clock) *mail.Sender {
	t.Helper()
	writer, err := mail.NewWriter(links{}, "https://console.example", &netmail.Address{Address: "vitae@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := mail.NewSender(mail.Config{Outbox: p, Transport: p, Writer: writer, Clock: clk, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func entry(kind mail.Kind) mail.Due {
	return mail.Due{Entry: mail.NewEntry(kind, "Typed@example.com", "typed@example.com", "the-link", "en", began)}
}

func TestEmailIsRetriedUntilItExpires(t *testing.T) {
	d := entry(mail.SignUp)
	p, clk, round := sending(t, d)
	p.answer = errors.New("450 later")
	var pauses []time.Duration
	for len(p.dropped) == 0 {
		before := len(p.sent)
		round()
		round() // the email is not due in between
		if len(p.dropped) == 0 && len(p.sent) != before+1 {
			t.Fatalf("%d attempts in one round", len(p.sent)-before)
		}
		if len(p.dropped) == 0 {
			pauses = append(pauses, p.at[d.ID].Sub(clk.Now()))
			clk.Advance(pauses[len(pauses)-1])
		}
	}
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		if pauses[i] != want*time.Minute {
			t.Errorf("pause %d is %s", i, pauses[i])
		}
	}
	if gone := clk.Now().Sub(began); gone < mail.SignUpLife || gone >= mail.SignUpLife+30*time.Minute {
		t.Errorf("dropped after %s", gone)
	}
	for _, m := range p.sent {
		if m.ID != d.ID+"@example.com" || !m.Date.Equal(began) {
			t.Fatalf("sent as %s at %s", m.ID, m.Date)
		}
	}
}

func TestRejectedEmailIsNotRetried(t *testing.T) {
	for _, answer := range []error{nil, mail.ErrRefused} {
		p, _, round := sending(t, entry(mail.SignUp))
		p.answer = answer
		round()
		if len(p.sent) != 1 || len(p.dropped) != 1 {
			t.Errorf("%v: sent %d, dropped %d", answer, len(p.sent), len(p.dropped))
		}
	}
}

func TestEmailUsesTheCurrentAddress(t *testing.T) {
	known := func(kind mail.Kind) mail.Due {
		d := entry(kind)
		d.PersonID, d.PersonEmail, d.PersonLanguage = "usr_1", "Stored@example.com", "ar"
		return d
	}
	for name, c := range map[string]struct {
		due           mail.Due
		to, link, dir string
	}{
		"a new account":             {entry(mail.SignUp), "Typed@example.com", "/sign-up/confirm?token=the-link", "ltr"},
		"one that is there already": {known(mail.SignUp), "Stored@example.com", "/reset", "rtl"},
		"a forgotten password":      {known(mail.Reset), "Stored@example.com", "/reset/choose?token=the-link", "rtl"},
		"a notice":                  {known(mail.PasswordChanged), "Stored@example.com", "/reset", "rtl"},
		"no account":                {entry(mail.Reset), "", "", ""},
		"an account that is gone":   {entry(mail.PasswordChanged), "", "", ""},
	} {
		p, _, round := sending(t, c.due)
		round()
		if len(p.dropped) != 1 || (c.to == "") != (len(p.sent) == 0) {
			t.Errorf("%s: sent %d, dropped %d", name, len(p.sent), len(p.dropped))
			continue
		}
		if c.to == "" {
			continue
		}
		m := p.sent[0]
		if m.To != c.to || m.Subject == "" || !strings.Contains(m.Text, "\nhttps://app.example"+c.link+"\n") ||
			!strings.Contains(m.HTML, `href="https://app.example`+c.link+`"`) || !strings.Contains(m.HTML, `dir="`+c.dir+`"`) {
			t.Errorf("%s: %+v", name, m)
		}
		if secret := strings.Contains(c.link, "token"); strings.Contains(m.Text+m.HTML, "the-link") != secret {
			t.Errorf("%s: the email contains the link: %v", name, !secret)
		}
	}
}

// Otherwise, nobody would notice a missing message before a person receives the email.
func TestEmailsAreCompleteInEveryLanguage(t *testing.T) {
	for _, language := range mail.Languages {
		for _, kind := range mail.Kinds {
			for _, personID := range []string{"", "usr_1"} {
				d := entry(kind)
				d.Language, d.PersonID, d.PersonEmail = language, personID, "a@example.com"
				d.AppName, d.AccountName, d.SubjectEmail, d.SubjectRole = "App", "Account", "b@example.com", "owner"
				p, _, round := sending(t, d)
				round()
				for _, m := range p.sent {
					hasAccount := kind != mail.Invitation && (kind != mail.SignUp || personID != "")
					if says := strings.Contains(m.Text, "because of your Vitae account") || strings.Contains(m.Text, "لأن لديك حسابًا"); says != hasAccount {
						t.Errorf("%s of %s: it mentions an account: %v", kind, language, says)
					}
					if m.Language != language || m.Subject == "" || strings.Contains(m.Text, "{") || strings.Contains(m.Text, "\n\n\n") || strings.Contains(m.HTML, "<p></p>") {
						t.Errorf("%s of %s: %q", kind, language, m.Text)
					}
				}
			}
		}
	}
}

func TestStoreErrorEndsTheRound(t *testing.T) {
	t.Parallel()
	p := &post{due: map[string]*mail.Due{}, at: map[string]time.Time{}, settled: errors.New("no database")}
	for range 3 {
		d := entry(mail.SignUp)
		p.due[d.ID] = &d
	}
	if err := sender(t, p, clock.NewFake(began)).Job().Round(t.Context()); err == nil || len(p.sent) != 1 || len(p.due) != 2 {
		t.Errorf("%d emails sent, %d due, %v; want 1, 2 and an error", len(p.sent), len(p.due), err)
	}
}
