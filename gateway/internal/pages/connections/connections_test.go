package connections_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestChangesAreReported(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	do := func(path string, form url.Values, want string) {
		t.Helper()
		v.Follow(v.Post(path, form), "/connections").Reports(t, want)
	}
	do("/connections/con_1/cv", url.Values{"cv": {"cv_2"}}, "Acme Jobs now sees the CV you chose.")
	do("/connections/con_1/sharing", url.Values{"to": {"off"}}, "Acme Jobs can no longer see your CV.")
	do("/connections/con_1/cv", url.Values{"cv": {"cv_3"}}, "Your choice is saved.")
	do("/connections/con_1/sharing", url.Values{"to": {"on"}}, "Acme Jobs can see your CV again.")
	c := v.Backend.Connections[0]
	if c.GetCvId() != "cv_3" || !c.GetCvSharing() {
		t.Errorf("connection is %v", c)
	}
	for _, req := range v.Backend.Updated {
		if !v.Backend.Sessions[req.GetActor().GetSessionToken()] {
			t.Errorf("request has actor %v", req.GetActor())
		}
	}
	asked := v.Get("/connections/con_1/disconnect")
	if !strings.Contains(asked.Text(), "Disconnect Acme Jobs?") || len(v.Backend.Connections) != 3 {
		t.Errorf("the page does not ask for confirmation: %s", asked.Text())
	}
	do("/connections/con_1/disconnect", url.Values{}, "Acme Jobs is disconnected.")
	if len(v.Backend.Connections) != 2 {
		t.Error("the app is still connected")
	}
}

func TestEndedConnectionIsReported(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Follow(v.Get("/connections/con_gone/disconnect"), "/connections").Reports(t, "That app is no longer connected.")
	for path, form := range map[string]url.Values{
		"/connections/con_gone/cv": {"cv": {"cv_2"}}, "/connections/con_gone/pause": {"to": {"on"}}, "/connections/con_gone/end": {"end": {"day"}}, "/connections/con_gone/sharing": {"to": {"on"}}, "/connections/con_gone/disconnect": {},
	} {
		v.Follow(v.Post(path, form), "/connections").Reports(t, "That app is no longer connected.")
	}
}

func TestCVOfOtherPersonIsRejected(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for _, cv := range []string{"cv_someone_elses", ""} {
		v.Follow(v.Post("/connections/con_1/cv", url.Values{"cv": {cv}}), "/connections").Refuses(t, "Nothing was changed.")
	}
	if len(v.Backend.Updated) != 0 {
		t.Errorf("auth received %v", v.Backend.Updated)
	}
}

func TestPageShowsWhatEachAppSees(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	a := v.Get("/connections")
	for _, want := range []string{
		"Connected since 9 February 2026", "Private contact details", "The CV you shared was deleted. نور للتوظيف sees no CV until you choose another one.",
	} {
		if !strings.Contains(a.Text(), want) {
			t.Errorf("%q is missing: %s", want, a.Text())
		}
	}
	if a.ByID("con_3-cv") != nil || a.ByID("con_2-cv") == nil {
		t.Error("the CV choice does not match the granted permissions")
	}
	v.Backend.Connections = nil
	if a := v.Get("/connections"); !strings.Contains(a.Text(), "No apps are connected.") {
		t.Errorf("page is %s", a.Text())
	}
}

func TestEachAppHasOneCard(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	first := v.Backend.Connections[0]
	v.Backend.Connections = append([]*authv1.Connection{{
		Id: "con_9", App: first.GetApp(), Scopes: []string{"profile:read"}, Legacy: true, CreatedAt: timestamppb.New(pagestest.Now.AddDate(-2, 0, 0)),
	}}, v.Backend.Connections...)
	page := v.Get("/connections")
	if n := strings.Count(page.Text(), "Acme Jobs Connected since"); n != 1 || !strings.Contains(page.Text(), "Acme Jobs Connected since 9 March 2024") {
		t.Errorf("got %d cards, or the first connection is missing: %s", n, page.Text())
	}
	for _, want := range []string{"Whole profile and CV", "Private contact details", "Connected through the older profile sharing.", "Share my CV"} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	v.Follow(v.Post("/connections/con_9/disconnect", url.Values{}), "/connections").Reports(t, "Acme Jobs is disconnected.")
	for _, c := range v.Backend.Connections {
		if c.GetApp().GetId() == first.GetApp().GetId() {
			t.Errorf("%s is still connected", c.GetId())
		}
	}
	if len(v.Backend.Connections) != 2 {
		t.Errorf("%d connections remain, want those of the two other apps", len(v.Backend.Connections))
	}
}

func TestForgedNoticeIsNotShown(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Post("/connections/con_1/sharing", url.Values{"to": {"off"}})
	cookie := v.Cookies["__Host-vitae_notice"]
	for _, value := range []string{"x" + cookie.Value, cookie.Value + "x", "", ".", strings.SplitN(cookie.Value, ".", 2)[0]} {
		v.Cookies["__Host-vitae_notice"] = &http.Cookie{Name: cookie.Name, Value: value}
		if a := v.Get("/connections"); strings.Contains(a.Body, `role="status"`) {
			t.Errorf("%q is shown: %s", value, a.Text())
		}
	}
}

func TestCardNamesPublisher(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Connections[0].PublisherName, v.Backend.Connections[0].PublisherVerified = "Acme Recruiting", true
	v.Backend.Connections[1].PublisherName = "Somebody"
	v.Backend.Connections[2].PublisherName, v.Backend.Connections[2].PublisherOwn = "Vitae", true
	text := v.Get("/connections").Text()
	for _, want := range []string{"Published by Acme Recruiting Verified by Vitae", "Published by Somebody Not verified by Vitae", "Published by Vitae Part of Vitae"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
}

func TestProfileIsShownOnlyIfSeen(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Connections = v.Backend.Connections[2:]
	v.Backend.Connections[0].Scopes = []string{"email"}
	a := v.Get("/connections")
	if !strings.Contains(a.Text(), "Email address") || strings.Contains(a.Text(), "Profile") {
		t.Errorf("page is %s", a.Text())
	}
}

func TestLegacyConnectionHasNoSwitches(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.Connections = []*authv1.Connection{{
		Id: "con_9", App: v.Backend.App, Scopes: []string{"profile:read"}, Legacy: true, SharePhoto: true, CreatedAt: timestamppb.New(pagestest.Now),
	}}
	page := v.Get("/connections")
	for _, want := range []string{"Acme Jobs", "Whole profile and CV", "Photo", "older profile sharing", "phone number", "Disconnect"} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
	for _, unwanted := range []string{"Share my CV", "Shared CV", "not allowed"} {
		if strings.Contains(page.Text(), unwanted) {
			t.Errorf("the page says %q: %s", unwanted, page.Text())
		}
	}
	if page.ByID("con_9-name") == nil || page.ByID("con_9-cv") != nil {
		t.Error("the section for a legacy connection is missing")
	}
}
