package consent_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// reconsent returns a person on the consent page of an app that is already connected.
func reconsent(t *testing.T, live *authv1.Connection) *pagestest.Visitor {
	t.Helper()
	v := pagestest.SignedIn(t)
	live.App = v.Backend.App
	v.Backend.Connections = append(v.Backend.Connections, live)
	return v
}

func TestFormPreselectsWhatAppSees(t *testing.T) {
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
		page := reconsent(t, c.live).Get(pagestest.ConsentPath)
		for _, id := range []string{"scope-email", "scope-cv", "scope-contact", "photo", "cv-0", "cv-1", "cv-2"} {
			if got := pagestest.Has(page.ByID(id), "checked"); got != slices.Contains(c.ticked, id) {
				t.Errorf("%s: %s checked: %t", name, id, got)
			}
		}
	}
}

func TestConnectedAppIsNotCalledNew(t *testing.T) {
	t.Parallel()
	for _, path := range []string{pagestest.ConsentPath, pagestest.LegacyPath} {
		for connected, want := range map[bool]string{false: "Nothing is shared until", true: "Nothing changes until"} {
			v := pagestest.SignedIn(t)
			if connected {
				v = reconsent(t, &authv1.Connection{Scopes: []string{"profile", "email"}, Legacy: path == pagestest.LegacyPath})
			}
			if text := v.Get(path).Text(); !strings.Contains(text, want) || strings.Contains(text, "wants to connect") == connected {
				t.Errorf("%s, connected %t: %s", path, connected, text)
			}
		}
	}
	v := reconsent(t, &authv1.Connection{Scopes: []string{"profile", "email"}})
	if a := v.Post(pagestest.ConsentPath, allow("cv:contact")); !strings.Contains(a.Text(), "Nothing has changed yet") || strings.Contains(a.Text(), "Nothing has been shared") {
		t.Errorf("page with a fault: %s", a.Text())
	}
}

func TestFormShowsWithheldPausedAndEnding(t *testing.T) {
	t.Parallel()
	v := reconsent(t, &authv1.Connection{
		GrantedScopes: []string{"profile", "email", "cv:read", "cv:contact"}, WithheldScopes: []string{"email"},
		CvGranted: true, CvSharing: true, CvId: "cv_2", PhotoGranted: true,
		PausedAt: timestamppb.New(pagestest.Now), EndsAt: timestamppb.New(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)),
	})
	page := v.Get(pagestest.ConsentPath)
	for _, want := range []string{
		"You’ve paused Acme Jobs. If you allow this, it sees what’s selected here again.",
		"Access for Acme Jobs still ends automatically on 1 May 2026 at 00:00 UTC.",
	} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
	for id, want := range map[string]struct{ ticked, off bool }{
		"scope-email": {false, true}, "scope-cv": {true, false}, "scope-contact": {true, false}, "photo": {false, true},
	} {
		hint := page.ByID(id + "-hint")
		if got := pagestest.Has(page.ByID(id), "checked"); got != want.ticked || strings.Contains(pagestest.TextOf(hint), "You’ve turned this off.") != want.off {
			t.Errorf("%s: ticked %t, and the hint is %q", id, got, pagestest.TextOf(hint))
		}
	}
	if fresh := pagestest.SignedIn(t).Get(pagestest.ConsentPath); strings.Contains(fresh.Text(), "turned this off") || strings.Contains(fresh.Text(), "still ends") {
		t.Errorf("page for a new app: %s", fresh.Text())
	}
}

func TestFormOffersOnlyWhatIsRequested(t *testing.T) {
	t.Parallel()
	v := reconsent(t, &authv1.Connection{Scopes: []string{"profile", "email", "cv:read"}, CvGranted: true, CvSharing: true, CvId: "cv_2"})
	page := v.Get(requestFor("profile email"))
	if page.ByID("scope-cv") != nil || !pagestest.Has(page.ByID("scope-email"), "checked") {
		t.Errorf("page is %s", page.Text())
	}
}

func TestFormIsHiddenIfConnectionsAreUnknown(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ListFail = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	if a := v.Get(pagestest.ConsentPath); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", a.StatusCode, a.Text())
	}
}

func TestFormShowsWhatIsSharedNow(t *testing.T) {
	t.Parallel()
	page := reconsent(t, &authv1.Connection{
		Scopes: []string{"profile", "cv:read"}, CvGranted: true, CvSharing: true, CvId: "cv_2", CreatedAt: timestamppb.New(pagestest.Now.AddDate(0, -2, 0)),
	}).Get(pagestest.ConsentPath)
	for _, want := range []string{"You connected Acme Jobs on 9 January 2026.", "If you change nothing, Allow changes nothing"} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("does not say %q: %s", want, page.Text())
		}
	}
	for id, want := range map[string]string{
		"scope-email": "Not shared now.", "scope-cv": "Shared now.", "scope-contact": "Not shared now.",
		"photo": "Not shared now.", "cv-1": "Shared now.",
	} {
		if hint := pagestest.TextOf(page.ByID(id + "-hint")); !strings.Contains(hint, want) {
			t.Errorf("%s: the hint is %q", id, hint)
		}
	}
	if hint := pagestest.TextOf(page.ByID("cv-0-hint")); strings.Contains(hint, "hared") {
		t.Errorf("hint for a different CV: %q", hint)
	}
	if fresh := pagestest.SignedIn(t).Get(pagestest.ConsentPath).Text(); strings.Contains(fresh, "You connected") || strings.Contains(fresh, "hared now") {
		t.Errorf("page for a new app: %s", fresh)
	}
}
