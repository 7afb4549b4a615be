package pages

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// reconsent is a person at the consent page of an app that is connected already.
func reconsent(t *testing.T, live *authv1.Connection) *visitor {
	t.Helper()
	v := atConsent(t)
	live.App = v.backend.app
	v.backend.connections = append(v.backend.connections, live)
	return v
}

func TestTheFormStartsWithWhatTheAppSeesAlready(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		live   *authv1.Connection
		ticked []string
	}{
		"everything, another CV": {
			&authv1.Connection{Scopes: []string{"profile", "email", "cv:read", "cv:contact"}, CvGranted: true, CvSharing: true, CvId: "cv_2", SharePhoto: true},
			[]string{"scope-email", "scope-cv", "scope-contact", "photo", "cv-1"},
		},
		"the e-mail refused": {
			&authv1.Connection{Scopes: []string{"profile", "cv:read"}, CvGranted: true, CvSharing: true, CvId: "cv_3"},
			[]string{"scope-cv", "cv-2"},
		},
		"the CV never granted": {
			&authv1.Connection{Scopes: []string{"profile", "email"}, SharePhoto: true},
			[]string{"scope-email", "photo", "cv-0"},
		},
		"sharing switched off": {
			&authv1.Connection{Scopes: []string{"profile"}, CvGranted: true, CvId: "cv_2"},
			[]string{"cv-1"},
		},
		"the CV deleted": {
			&authv1.Connection{Scopes: []string{"profile", "cv:read"}, CvGranted: true, CvSharing: true, CvId: "cv_deleted"},
			[]string{"scope-cv"},
		},
	} {
		page := reconsent(t, c.live).get(consentPath)
		for _, id := range []string{"scope-email", "scope-cv", "scope-contact", "photo", "cv-0", "cv-1", "cv-2"} {
			if got := has(page.byID(id), "checked"); got != slices.Contains(c.ticked, id) {
				t.Errorf("%s: %s checked: %t", name, id, got)
			}
		}
	}
}

func TestThatNothingIsSharedIsNotSaidOfAnAppThatSeesSomething(t *testing.T) {
	t.Parallel()
	for _, path := range []string{consentPath, legacyPath} {
		for connected, want := range map[bool]string{false: "Nothing is shared until", true: "Nothing changes until"} {
			v := atConsent(t)
			if connected {
				v = reconsent(t, &authv1.Connection{Scopes: []string{"profile", "email"}, Legacy: path == legacyPath})
			}
			if text := v.get(path).text(); !strings.Contains(text, want) || strings.Contains(text, "wants to connect") == connected {
				t.Errorf("%s, connected %t: %s", path, connected, text)
			}
		}
	}
	v := reconsent(t, &authv1.Connection{Scopes: []string{"profile", "email"}})
	if a := v.post(consentPath, allow("cv:contact")); !strings.Contains(a.text(), "Nothing has changed yet") || strings.Contains(a.text(), "Nothing has been shared") {
		t.Errorf("with a fault: %s", a.text())
	}
}

func TestTheFormSaysWhatIsWithheldPausedAndAboutToEnd(t *testing.T) {
	t.Parallel()
	v := reconsent(t, &authv1.Connection{
		GrantedScopes: []string{"profile", "email", "cv:read", "cv:contact"}, WithheldScopes: []string{"email"},
		CvGranted: true, CvSharing: true, CvId: "cv_2", PhotoGranted: true,
		PausedAt: timestamppb.New(now), EndsAt: timestamppb.New(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)),
	})
	page := v.get(consentPath)
	for _, want := range []string{
		"You’ve paused Acme Jobs. If you allow this, it sees what’s selected here again.",
		"Access for Acme Jobs still ends automatically on 1 May 2026 at 00:00 UTC.",
	} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("does not say %q: %s", want, page.text())
		}
	}
	for id, want := range map[string]struct{ ticked, off bool }{
		"scope-email": {false, true}, "scope-cv": {true, false}, "scope-contact": {true, false}, "photo": {false, true},
	} {
		hint := page.byID(id + "-hint")
		if got := has(page.byID(id), "checked"); got != want.ticked || strings.Contains(textOf(hint), "You’ve turned this off.") != want.off {
			t.Errorf("%s: ticked %t, and the hint is %q", id, got, textOf(hint))
		}
	}
	if fresh := atConsent(t).get(consentPath); strings.Contains(fresh.text(), "turned this off") || strings.Contains(fresh.text(), "still ends") {
		t.Errorf("to a new app: %s", fresh.text())
	}
}

func TestAConnectedAppIsOfferedNothingThatItDoesNotAskFor(t *testing.T) {
	t.Parallel()
	v := reconsent(t, &authv1.Connection{Scopes: []string{"profile", "email", "cv:read"}, CvGranted: true, CvSharing: true, CvId: "cv_2"})
	page := v.get(asking("profile email"))
	if page.byID("scope-cv") != nil || !has(page.byID("scope-email"), "checked") {
		t.Errorf("%s", page.text())
	}
}

func TestAFormThatCannotKnowWhatIsSharedIsNotShown(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	v.backend.listFail = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	if a := v.get(consentPath); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", a.StatusCode, a.text())
	}
}

func TestTheFormOfAConnectedAppSaysSinceWhenAndWhatItSees(t *testing.T) {
	t.Parallel()
	page := reconsent(t, &authv1.Connection{
		Scopes: []string{"profile", "cv:read"}, CvGranted: true, CvSharing: true, CvId: "cv_2", CreatedAt: timestamppb.New(now.AddDate(0, -2, 0)),
	}).get(consentPath)
	for _, want := range []string{"You connected Acme Jobs on 9 January 2026.", "If you change nothing, Allow changes nothing"} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("does not say %q: %s", want, page.text())
		}
	}
	for id, want := range map[string]string{
		"scope-email": "Not shared now.", "scope-cv": "Shared now.", "scope-contact": "Not shared now.",
		"photo": "Not shared now.", "cv-1": "Shared now.",
	} {
		if hint := textOf(page.byID(id + "-hint")); !strings.Contains(hint, want) {
			t.Errorf("%s: the hint is %q", id, hint)
		}
	}
	if hint := textOf(page.byID("cv-0-hint")); strings.Contains(hint, "hared") {
		t.Errorf("another CV: %q", hint)
	}
	if fresh := atConsent(t).get(consentPath).text(); strings.Contains(fresh, "You connected") || strings.Contains(fresh, "hared now") {
		t.Errorf("to a new app: %s", fresh)
	}
}
