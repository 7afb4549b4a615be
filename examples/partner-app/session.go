package main

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

const (
	sessionLife = 12 * time.Hour
	// maxSessions is the maximum number of sessions, which limits the memory that visitors can use.
	maxSessions = 10_000
)

// session is the state of one browser. The browser has only a random id, in a cookie, and never receives the tokens.
type session struct {
	id string

	mu      sync.Mutex
	attempt attempt       // the sign-in in progress
	token   *oauth2.Token // the last stored token, or nil if nobody is signed in
	keeper  *keeper
	cv      cachedCV
	notice  notice
	expires time.Time
}

// cachedCV is the last CV that was read. It is displayed again after a 304.
type cachedCV struct {
	etag string
	data json.RawMessage
}

// sessions holds all sessions in memory. A restart therefore signs everyone out, which is acceptable in an example.
type sessions struct {
	mu     sync.Mutex
	all    map[string]*session
	secure bool
	now    func() time.Time
}

func newSessions(siteURL string) *sessions {
	return &sessions{all: map[string]*session{}, secure: strings.HasPrefix(siteURL, "https://"), now: time.Now}
}

func (s *sessions) cookieName() string {
	if s.secure {
		return "__Host-partner_session"
	}
	return "partner_session"
}

// of returns the session of a request, or nil if there is none.
func (s *sessions) of(r *http.Request) *session {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.all[c.Value]
	if found == nil || s.now().After(found.expires) {
		delete(s.all, c.Value)
		return nil
	}
	return found
}

// start ends the browser's old session and creates one with a new id. If an attacker planted a session id before the
// sign-in, that id is then useless.
func (s *sessions) start(w http.ResponseWriter, r *http.Request) *session {
	s.end(r)
	fresh := &session{id: rand.Text(), expires: s.now().Add(sessionLife)}
	s.mu.Lock()
	s.sweep()
	s.all[fresh.id] = fresh
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: fresh.id, Path: "/", MaxAge: int(sessionLife.Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
	return fresh
}

// end removes the session of a request, if any.
func (s *sessions) end(r *http.Request) {
	if c, err := r.Cookie(s.cookieName()); err == nil {
		s.mu.Lock()
		delete(s.all, c.Value)
		s.mu.Unlock()
	}
}

// sweep removes sessions until there is room for one more. It removes expired sessions first, then any others.
func (s *sessions) sweep() {
	if len(s.all) < maxSessions {
		return
	}
	for id, old := range s.all {
		if s.now().After(old.expires) {
			delete(s.all, id)
		}
	}
	for id := range s.all {
		if len(s.all) < maxSessions {
			return
		}
		delete(s.all, id)
	}
}

// store stores a new pair of tokens. A site with a database would store it there.
func (s *session) store(t *oauth2.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = t
	return nil
}

// takeAttempt returns the sign-in in progress, and removes it.
func (s *session) takeAttempt() attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.attempt
	s.attempt = attempt{}
	return a
}

// takeNotice returns the notice, and removes it.
func (s *session) takeNotice() notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.notice
	s.notice = notice{}
	return n
}
