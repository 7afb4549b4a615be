package account_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestPasswordChangeNeedsPasswordOrProof(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	if a := v.Get("/account"); a.Header.Get("Location") != "/sign-in?return=%2Faccount" {
		t.Errorf("signed-out visitor is redirected to %s", a.Header.Get("Location"))
	}
	v.SignIn()
	form := url.Values{"current_password": {pagestest.GoodPassword}, "new_password": {"a quiet harbour"}}
	v.Backend.AccountFail = errs.New(errs.Denied, "WRONG_PASSWORD", "no").WithField("current_password")
	if a := filledAccount(v, form); a.StatusCode != http.StatusUnprocessableEntity || !pagestest.Has(a.ByID("current_password"), "autofocus") {
		t.Errorf("wrong password: status %d", a.StatusCode)
	}
	// A person who has just re-authenticated does not need to enter the password.
	v.Backend.Unproven, v.Backend.AccountFail = true, nil
	alone := url.Values{"new_password": {"a quiet harbour"}}
	if a := filledAccount(v, alone); a.StatusCode != http.StatusUnprocessableEntity || !pagestest.Has(a.ByID("current_password"), "autofocus") {
		t.Errorf("neither password nor proof: status %d", a.StatusCode)
	}
	v.Backend.Unproven = false
	if shown := v.Get("/account"); !strings.Contains(shown.Text(), "Optional, because you just confirmed it’s you.") || pagestest.Has(shown.ByID("current_password"), "required") {
		t.Error("the form requires the password after a proof")
	}
	if a := filledAccount(v, alone); a.StatusCode != http.StatusSeeOther || v.Backend.Changed[1].GetCurrentPassword() != "" {
		t.Errorf("proof without the password: status %d", a.StatusCode)
	}
	v.Backend.AccountFail = pagestest.ErrProof // the proof has expired since the page was rendered
	if a := filledAccount(v, alone); a.Header.Get("Location") != "/account/confirm?return=%2Faccount" {
		t.Errorf("expired proof: status %d, redirect to %s", a.StatusCode, a.Header.Get("Location"))
	}
	v.Backend.AccountFail = nil
	a := filledAccount(v, form)
	got := v.Backend.Changed[3]
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/account" || got.GetSessionToken() != v.Cookies["__Host-vitae_session"].Value ||
		got.GetCurrentPassword() != pagestest.GoodPassword || got.GetNewPassword() != "a quiet harbour" || got.GetDeviceToken() == "" {
		t.Errorf("status %d, auth received %v", a.StatusCode, got)
	}
	if shown := v.Get("/account"); !strings.Contains(shown.Text(), "Password changed.") {
		t.Errorf("page is %s", shown.Text())
	}
}

func filledAccount(v *pagestest.Visitor, form url.Values) pagestest.Response {
	form.Set("csrf", v.Get("/account").Token())
	return v.Send(http.MethodPost, "/account/password", form)
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Listed = []*authv1.Session{
		{Id: "one", Browser: &authv1.Browser{Name: "Firefox", System: "Android"}, CreatedAt: timestamppb.New(pagestest.Now), UsedAt: timestamppb.New(pagestest.Now), Current: true, Country: "SA"},
		{Id: "two", CreatedAt: timestamppb.New(pagestest.Now.AddDate(0, 0, -1)), UsedAt: timestamppb.New(pagestest.Now.Add(-time.Minute))},
	}
	a := v.Get("/account")
	for _, want := range []string{
		"Firefox on Android (this browser)", "Unknown browser",
		"Last used on 9 March 2026 at 10:00 UTC. Country: Saudi Arabia. Sign out", "Signed in on 8 March 2026. Last used on 9 March 2026 at 09:59 UTC. Sign out",
	} {
		if !strings.Contains(a.Text(), want) {
			t.Errorf("%s is missing in %s", want, a.Text())
		}
	}
	if a := v.Post("/account/sessions/two/end", url.Values{}); a.Header.Get("Location") != "/account" || !slices.Equal(v.Backend.Ended, []string{"two"}) {
		t.Errorf("redirect to %s, ended sessions %v", a.Header.Get("Location"), v.Backend.Ended)
	}
	for _, path := range []string{"/account/sessions/two/end", "/account/sessions/end"} {
		if a := v.Send(http.MethodPost, path, url.Values{"csrf": {"AAAA"}}); a.StatusCode != http.StatusForbidden {
			t.Errorf("%s with a forged token: status %d", path, a.StatusCode)
		}
	}
	if a := v.Post("/account/sessions/end", url.Values{}); a.Header.Get("Location") != "/sign-in?return=%2Faccount" || v.Backend.EndedAll != 1 || v.Cookies["__Host-vitae_session"] != nil {
		t.Errorf("redirect to %s, all sessions were ended %d times", a.Header.Get("Location"), v.Backend.EndedAll)
	}
	if len(v.Backend.Ended) != 1 {
		t.Errorf("ended sessions %v", v.Backend.Ended)
	}
}

// behaviour: pages#data-removed-at-sign-out
func TestEndingSessionClearsStorage(t *testing.T) {
	t.Parallel()
	for path, stays := range map[string]bool{"/sign-out": false, "/account/sessions/end": false, "/account/sessions/own/end": false, "/account/sessions/two/end": true} {
		v := pagestest.Visit(t)
		v.Lang = "ar"
		v.SignIn()
		v.Backend.Here = "own"
		a := v.Post(path, url.Values{})
		want := `"storage"`
		if stays {
			want = ""
		}
		if got := a.Header.Get("Clear-Site-Data"); got != want || (v.Cookies["__Host-vitae_session"] != nil) != stays || v.Cookies["__Host-vitae_device"] == nil {
			t.Errorf("%s: Clear-Site-Data is %q, cookies %v", path, got, v.Cookies)
		}
	}
}

func TestAccountShowsUnverifiedEmail(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for _, unverified := range []bool{false, true} {
		v.Backend.EmailUnverified = unverified
		if got := v.Get("/account").Text(); strings.Contains(got, pagestest.GoodEmail+" Email not verified") != unverified {
			t.Errorf("unverified %t: %s", unverified, got)
		}
	}
}
