package mail

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// every is the interval at which the job runs. It is short because people wait for their links.
	every = time.Second
	// batch is the maximum number of entries that are leased at once.
	batch = 20
	// sendWithin limits a single attempt to send an email. leaseFor is longer than a whole batch can take, so no
	// other replica sends the same entries.
	sendWithin = 20 * time.Second
	leaseFor   = (batch + 1) * sendWithin
	// pauseFirst is the pause after the first attempt. The pause doubles with each attempt, up to pauseMost. RFC
	// 5321 §4.5.4.1 recommends at least half an hour, which is too long for a link that expires after an hour.
	pauseFirst = time.Minute
	pauseMost  = 30 * time.Minute
)

// Config configures a Sender. All fields are required.
type Config struct {
	Outbox    Outbox
	Transport Transport
	Writer    *Writer
	Clock     clock.Clock
	Log       *slog.Logger
}

// Sender sends the emails in the outbox.
type Sender struct{ cfg Config }

func NewSender(c Config) (*Sender, error) {
	if c.Outbox == nil || c.Transport == nil || c.Writer == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("mail: Outbox, Transport, Writer, Clock and Log are required")
	}
	return &Sender{cfg: c}, nil
}

// Job returns the job that sends due entries. Every replica runs it.
func (s *Sender) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot send email; trying again in the next round", Round: s.round}
}

// round sends all entries that are due. It stops at the first error from the store: if the store fails, every
// further email in the batch would be sent a second time after its lease expires.
func (s *Sender) round(ctx context.Context) error {
	for {
		now := s.cfg.Clock.Now()
		due, err := s.cfg.Outbox.LeaseMail(ctx, now, now.Add(leaseFor), batch)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, d := range due {
			if err := s.send(ctx, d); err != nil {
				return err
			}
		}
	}
}

// send makes one attempt to send an email. It updates the entry even if the process is shutting down.
func (s *Sender) send(ctx context.Context, d Due) error {
	now := s.cfg.Clock.Now()
	settle := context.WithoutCancel(ctx)
	if !now.Before(d.ExpiresAt) {
		s.given(ctx, d, outcomeExpired, nil)
		return s.cfg.Outbox.DropMail(settle, d.ID)
	}
	m, wanted, err := s.cfg.Writer.Write(d)
	if err != nil {
		return err
	}
	if !wanted {
		return s.cfg.Outbox.DropMail(settle, d.ID)
	}
	within, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	err = s.cfg.Transport.Send(within, m)
	switch {
	case err == nil:
		attempts.WithLabelValues(outcomeSent).Inc()
		return s.cfg.Outbox.DropMail(settle, d.ID)
	case errors.Is(err, ErrRefused):
		s.given(ctx, d, outcomeRefused, err)
		return s.cfg.Outbox.DropMail(settle, d.ID)
	}
	outcome := outcomeDeferred
	if errors.Is(err, ErrUnusable) {
		outcome = outcomeUnusable
	}
	attempts.WithLabelValues(outcome).Inc()
	at := now.Add(min(pauseFirst<<min(d.Attempts-1, 10), pauseMost))
	s.cfg.Log.WarnContext(ctx, "the email was not accepted yet", "mail", d.ID, "kind", string(d.Kind), "outcome", outcome, "attempt", d.Attempts, "next", at, "error", err)
	return s.cfg.Outbox.DeferMail(settle, d.ID, at)
}

// given records that an email will never be sent. The log contains no email address. Operators find the address in
// the outbox until the entry is deleted, and in the log of their mail server.
func (s *Sender) given(ctx context.Context, d Due, outcome string, err error) {
	attempts.WithLabelValues(outcome).Inc()
	s.cfg.Log.WarnContext(ctx, "the email is no longer sent", "mail", d.ID, "kind", string(d.Kind), "outcome", outcome, "attempt", d.Attempts, "error", err)
}
