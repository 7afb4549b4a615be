package mailer_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/mail"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	domain "vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/mailer"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres"
)

// doomedURL and doomedServer name the environment variables that contain the database and the mail server of a
// process that is killed while it sends email.
const (
	doomedURL    = "VITAE_TEST_DOOMED_URL"
	doomedServer = "VITAE_TEST_DOOMED_SERVER"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(doomedURL); url != "" {
		if err := sendAll(context.Background(), url, os.Getenv(doomedServer), clock.System{}); err != nil {
			panic(err)
		}
		return
	}
	testkit.Main(m)
}

// sendAll sends the emails that are due in a database's outbox, as the job does.
func sendAll(ctx context.Context, url, server string, clk clock.Clock) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	links, err := maillink.New("https://app.example", testkit.Ring("record", "a"))
	if err != nil {
		return err
	}
	from := &mail.Address{Address: "vitae@example.com"}
	writer, err := domain.NewWriter(links, "", from)
	if err != nil {
		return err
	}
	smtp, err := mailer.NewSMTP(mailer.SMTPConfig{URL: "smtp://" + server, From: from})
	if err != nil {
		return err
	}
	sender, err := domain.NewSender(domain.Config{Outbox: postgres.New(pool).Outbox, Transport: smtp, Writer: writer, Clock: clk, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return sender.Job().Round(ctx)
}

// note signs two people in. The transactions of the sign-ins queue a notice to each of them.
func note(t *testing.T, url string) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	stores := postgres.New(pool)
	now := time.Now()
	post := domain.Post{On: true, Clock: clock.System{}}
	for _, name := range []string{"first", "second"} {
		p := person.Person{ID: id.New("usr"), Email: name + "@example.org", CreatedAt: now}
		if err := stores.People.CreatePerson(t.Context(), p, p.Email, "hash"); err != nil {
			t.Fatal(err)
		}
		opening := session.Opening{Hash: credential.Hash(name), PersonID: p.ID, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
		opening.Notice = post.Notice(domain.NewSignIn, domain.Occasion{Session: opening.Hash})
		if err := stores.Sessions.OpenSession(t.Context(), opening); err != nil {
			t.Fatal(err)
		}
	}
}

// An email is sent at least once, always with the same Message-ID (behaviour: accounts#email-delivery).
func TestKilledProcessLosesNoEmail(t *testing.T) {
	t.Parallel()
	for step, twice := range map[string]bool{
		"mail": false, // the process is killed before it sends the second message
		"data": true,  // the process is killed when the server has received the second message, but not confirmed it
	} {
		t.Run("at "+step, func(t *testing.T) {
			url := testkit.Database(t, "auth", postgres.Migrate)
			note(t, url)
			s := serve(t, "127.0.0.1:0", nil, false)
			doomed := exec.CommandContext(t.Context(), os.Args[0])
			doomed.Env = append(os.Environ(), doomedURL+"="+url, doomedServer+"="+s.addr)
			started, gone := make(chan struct{}), make(chan struct{})
			seen := 0
			s.answers(func(at string) error {
				if at == step {
					seen++
				}
				if at != step || seen != 2 {
					return nil
				}
				<-started
				err := doomed.Process.Kill()
				<-gone
				return err
			})
			if err := doomed.Start(); err != nil {
				t.Fatal(err)
			}
			close(started)
			_ = doomed.Wait() // killed
			close(gone)

			s.answers(nil)
			// An hour later, the killed process's leases have expired.
			if err := sendAll(t.Context(), url, s.addr, clock.NewFake(time.Now().Add(time.Hour))); err != nil {
				t.Fatal(err)
			}
			want := map[string]int{"<first@example.org>": 1, "<second@example.org>": 1}
			if twice {
				want["<second@example.org>"] = 2
			}
			got, ids := map[string]int{}, map[string]string{}
			for _, raw := range s.mails() {
				m, err := mail.ReadMessage(strings.NewReader(raw))
				if err != nil {
					t.Fatal(err)
				}
				to, messageID := m.Header.Get("To"), m.Header.Get("Message-ID")
				if known, again := ids[to]; again && known != messageID || messageID == "" {
					t.Errorf("%s: sent as %s and as %s", to, known, messageID)
				}
				got[to]++
				ids[to] = messageID
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("arrived %v, want %v", got, want)
			}
		})
	}
}
