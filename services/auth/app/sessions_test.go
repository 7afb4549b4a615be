package app_test

import (
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// signsIn opens a session in a browser and returns its secret.
func (w *world) signsIn(email, browser string) string {
	w.Helper()
	in, err := w.sessions.SignIn(w.Context(), &authv1.SignInRequest{
		Email: email, Password: plainWord, ClientIp: "203.0.113.7", Browser: &authv1.Browser{Name: browser, System: "Linux"},
	})
	w.must(err)
	return in.GetSessionToken()
}

func (w *world) sessionsOf(secret string) []*authv1.Session {
	w.Helper()
	resp, err := w.sessions.ListSessions(w.Context(), &authv1.ListSessionsRequest{SessionToken: secret})
	w.must(err)
	return resp.GetSessions()
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, stranger := w.person("layla@example.com"), w.person("omar@example.com")
	w.clock.Advance(time.Second)
	firefox := w.signsIn(p.email, "Firefox")
	w.clock.Advance(time.Hour)
	if !w.isSignedIn(p.session) { // this use is recorded
		t.Fatal("the first session has ended")
	}
	all := w.sessionsOf(firefox)
	if len(all) != 2 || all[0].GetBrowser().GetName() != "Firefox" || !all[0].GetCurrent() || all[1].GetCurrent() ||
		!all[1].GetUsedAt().AsTime().Equal(w.clock.Now()) || !all[1].GetCreatedAt().AsTime().Equal(started) {
		t.Fatalf("listed sessions: %v", all)
	}

	end := func(secret, id string) {
		t.Helper()
		_, err := w.sessions.EndSession(t.Context(), &authv1.EndSessionRequest{SessionToken: secret, Id: id})
		w.must(err)
	}
	end(stranger.session, all[1].GetId())
	if !w.isSignedIn(p.session) {
		t.Fatal("a different person ended the session")
	}
	end(firefox, all[1].GetId())
	end(firefox, all[1].GetId())
	if w.isSignedIn(p.session) || !w.isSignedIn(firefox) || len(w.sessionsOf(firefox)) != 1 {
		t.Error("the wrong session has ended, or none has")
	}
}

func TestSessionUseIsRecordedOnceAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	used := func() time.Time { return w.sessionsOf(p.session)[0].GetUsedAt().AsTime() }
	w.clock.Advance(59 * time.Second)
	if got := used(); !got.Equal(started) {
		t.Errorf("the use was recorded at %s", got)
	}
	w.clock.Advance(time.Second)
	if got := used(); !got.Equal(w.clock.Now()) {
		t.Errorf("the use was not recorded: %s", got)
	}
}

func TestSignOutEverywhereAffectsOnePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.person("layla@example.com"), w.person("omar@example.com")
	elsewhere := w.signsIn(p.email, "Firefox")
	_, err := w.sessions.EndAllSessions(t.Context(), &authv1.EndAllSessionsRequest{SessionToken: p.session})
	w.must(err)
	if w.isSignedIn(p.session) || w.isSignedIn(elsewhere) || !w.isSignedIn(other.session) {
		t.Error("a session of the person is still live, or a session of someone else has ended")
	}
	_, err = w.sessions.EndAllSessions(t.Context(), &authv1.EndAllSessionsRequest{SessionToken: p.session})
	wantCode(t, err, "SESSION_ENDED")
}

func TestLanguageIsStoredPerPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.person("layla@example.com"), w.person("omar@example.com")
	language := func(secret string) string {
		t.Helper()
		resp, err := w.sessions.GetSession(t.Context(), &authv1.GetSessionRequest{SessionToken: secret})
		w.must(err)
		return resp.GetPerson().GetLanguage()
	}
	if got := language(p.session); got != "" {
		t.Errorf("before a choice, the language is %q", got)
	}
	set := func(secret, language string) error {
		_, err := w.sessions.SetLanguage(t.Context(), &authv1.SetLanguageRequest{SessionToken: secret, Language: language})
		return err
	}
	w.must(set(p.session, "ar"))
	if elsewhere := w.signsIn(p.email, "Firefox"); language(p.session) != "ar" || language(elsewhere) != "ar" || language(other.session) != "" {
		t.Errorf("language %q, in the other session %q, of the other person %q", language(p.session), language(elsewhere), language(other.session))
	}
	wantCode(t, set("nobody's", "en"), "SESSION_ENDED")
	if err := set(p.session, "fr"); err == nil || language(p.session) != "ar" {
		t.Errorf("an unsupported language: %v, stored %q", err, language(p.session))
	}
}
