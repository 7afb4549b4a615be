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

// ConsoleIdle is the time after which an unused session of the developer console expires.
const ConsoleIdle = 12 * time.Hour

// UseEvery is the minimum interval between two updates of a session's time of use
// (behaviour: accounts#sessions).
const UseEvery = time.Minute

// Browser holds the names of a browser and its operating system as the gateway recognized them, or
// empty strings if it didn't.
type Browser struct{ Name, System string }

// note adds the browser to the audit events of the call.
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

// Listed is a session as listed for its person.
type Listed struct {
	// ID identifies the session. It isn't a secret.
	ID      string
	Browser Browser
	// Country is the country of the last use (ISO 3166-1 alpha-2). It is empty if the country is
	// unknown or countries are not shown.
	Country           string
	CreatedAt, UsedAt time.Time
	// Current reports whether it is the session of the request.
	Current bool
	// AtConsole reports whether the person has used the session to sign in to the developer
	// console.
	AtConsole bool
}

// List returns the live sessions of the session's person, most recently used first. Errors:
// ErrEnded.
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

// End ends a different session of the session's person. It ignores a session that has ended or
// belongs to a different person. Errors: ErrEnded.
func (s *Service) End(ctx context.Context, secret, id string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil || !fault.IsStorable(id) {
		return err
	}
	return s.cfg.Store.EndSession(ctx, who.ID, id)
}

// EndAll ends all sessions of the session's person, including the current one and sessions of the
// developer console. Errors: ErrEnded.
func (s *Service) EndAll(ctx context.Context, secret string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.EndAllSessions(ctx, who.ID)
}
