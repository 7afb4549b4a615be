package session

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
)

// mostListed bounds a list of sessions.
const mostListed = 100

// ConsoleIdle is how long a session of the developer console lives without use.
const ConsoleIdle = 12 * time.Hour

// UseEvery is how often the use of a session is noted
// (behaviour: accounts#sessions).
const UseEvery = time.Minute

// Browser is what a browser says of itself: names that the gateway knows, empty for others.
type Browser struct{ Name, System string }

// note tells the events of a call in which browser it was made.
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

// Listed is a session as its person sees it.
type Listed struct {
	// ID names the session and opens nothing.
	ID      string
	Browser Browser
	// Country is where it was used last, as ISO 3166-1 alpha-2; empty if it is not known, or if
	// countries are not shown.
	Country           string
	CreatedAt, UsedAt time.Time
	// Current reports whether it is the session of the request.
	Current bool
	// AtConsole reports whether the person uses it to be signed in to the developer console.
	AtConsole bool
}

// List returns the live sessions of a session's person, the latest used first. Errors: ErrEnded.
func (s *Service) List(ctx context.Context, secret string) ([]Listed, error) {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return nil, err
	}
	all, err := s.cfg.Store.Sessions(ctx, who.ID, credential.Hash(secret), s.cfg.Clock.Now(), mostListed)
	if !s.cfg.Whereabouts.Shown() {
		for i := range all {
			all[i].Country = ""
		}
	}
	return all, err
}

// End ends a session of the person of a session. It succeeds for one that has ended, and for
// one of somebody else, which it leaves alone. Errors: ErrEnded.
func (s *Service) End(ctx context.Context, secret, id string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil || !fault.IsStorable(id) {
		return err
	}
	return s.cfg.Store.EndSession(ctx, who.ID, id)
}

// EndAll ends all sessions of the person of a session, that session too, and those in the
// developer console. Errors: ErrEnded.
func (s *Service) EndAll(ctx context.Context, secret string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.EndAllSessions(ctx, who.ID)
}
