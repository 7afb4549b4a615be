package session

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
)

// maxListed is the maximum number of sessions in a list.
const maxListed = 100

// ConsoleIdle is the time after which an unused developer console session expires.
const ConsoleIdle = 12 * time.Hour

// UseEvery is the minimum time between two updates of when a session was last used (behaviour: accounts#sessions).
const UseEvery = time.Minute

// Browser holds the names of a browser and its operating system, as recognized by the gateway. They are empty if the
// gateway didn't recognize them.
type Browser struct{ Name, System string }

// note adds the browser to the call's audit events.
func (b Browser) note(ctx context.Context) {
	details := map[string]string{}
	if b.Name != "" {
		details[audit.Browser] = b.Name
	}
	if b.System != "" {
		details[audit.System] = b.System
	}
	audit.FromContext(ctx).Note(audit.About{Details: details})
}

// Listed is a session, as shown to the signed-in person.
type Listed struct {
	// ID identifies the session. It isn't a secret.
	ID      string
	Browser Browser
	// Country is the country of the last use (ISO 3166-1 alpha-2). It is empty if the country is
	// unknown or countries are not shown.
	Country           string
	CreatedAt, UsedAt time.Time
	// Current reports whether the request was made with this session.
	Current bool
	// AtConsole reports whether the person has used the session to sign in to the developer
	// console.
	AtConsole bool
}

// List returns the live sessions of the signed-in person, most recently used first. Errors: ErrEnded.
func (s *Service) List(ctx context.Context, secret string) ([]Listed, error) {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return nil, err
	}
	all, err := s.cfg.Store.Sessions(ctx, who.ID, credential.Hash(secret), s.cfg.Clock.Now(), maxListed)
	if !s.cfg.Whereabouts.Shown() {
		for i := range all {
			all[i].Country = ""
		}
	}
	return all, err
}

// End ends another session of the signed-in person. It ignores a session that has already ended or belongs to
// another person. Errors: ErrEnded.
func (s *Service) End(ctx context.Context, secret, id string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil || !fault.IsStorable(id) {
		return err
	}
	return s.cfg.Store.EndSession(ctx, who.ID, id)
}

// EndAll ends all sessions of the signed-in person, including the current one and developer console sessions.
// Errors: ErrEnded.
func (s *Service) EndAll(ctx context.Context, secret string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.EndAllSessions(ctx, who.ID)
}
