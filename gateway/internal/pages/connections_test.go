package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// follow goes to where an answer leads, and gives the page there.
func (v *visitor) follow(a response, want string) response {
	v.t.Helper()
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		v.t.Fatalf("%d to %q", a.StatusCode, a.Header.Get("Location"))
	}
	return v.get(want)
}

// reports checks that the page says what has happened, for screen readers too.
func (a response) reports(t *testing.T, want string) {
	t.Helper()
	a.says(t, "status", want)
}

// refuses is reports of something that was not done.
func (a response) refuses(t *testing.T, want string) {
	t.Helper()
	a.says(t, "alert", want)
}

func (a response) says(t *testing.T, role, want string) {
	t.Helper()
	for n := range a.root.Descendants() {
		if attribute(n, "role") == role && strings.Contains(a.text(), want) {
			return
		}
	}
	t.Errorf("does not say %q in a region with the role %s: %s", want, role, a.text())
}

func TestChangesAreMadeAsThePersonAndReported(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	do := func(path string, form url.Values, want string) {
		t.Helper()
		v.follow(v.post(path, form), "/connections").reports(t, want)
	}
	do("/connections/con_1/cv", url.Values{"cv": {"cv_2"}}, "Acme Jobs now sees the CV you chose.")
	do("/connections/con_1/sharing", url.Values{"to": {"off"}}, "Acme Jobs can no longer see your CV.")
	do("/connections/con_1/cv", url.Values{"cv": {"cv_3"}}, "Your choice is saved.")
	do("/connections/con_1/sharing", url.Values{"to": {"on"}}, "Acme Jobs can see your CV again.")
	c := v.backend.connections[0]
	if c.GetCvId() != "cv_3" || !c.GetCvSharing() {
		t.Errorf("the connection is %v", c)
	}
	for _, req := range v.backend.updated {
		if !v.backend.sessions[req.GetActor().GetSessionToken()] {
			t.Errorf("acts as %v", req.GetActor())
		}
	}
	asked := v.get("/connections/con_1/disconnect")
	if !strings.Contains(asked.text(), "Disconnect Acme Jobs?") || len(v.backend.connections) != 3 {
		t.Errorf("does not ask: %s", asked.text())
	}
	do("/connections/con_1/disconnect", url.Values{}, "Acme Jobs is disconnected.")
	if len(v.backend.connections) != 2 {
		t.Error("still connected")
	}
}

func TestAConnectionThatIsGoneIsReportedNotAFault(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.follow(v.get("/connections/con_gone/disconnect"), "/connections").reports(t, "That app is no longer connected.")
	for path, form := range map[string]url.Values{
		"/connections/con_gone/cv": {"cv": {"cv_2"}}, "/connections/con_gone/pause": {"to": {"on"}}, "/connections/con_gone/end": {"end": {"day"}}, "/connections/con_gone/sharing": {"to": {"on"}}, "/connections/con_gone/disconnect": {},
	} {
		v.follow(v.post(path, form), "/connections").reports(t, "That app is no longer connected.")
	}
}

func TestAForeignCVIsNeverShared(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	for _, cv := range []string{"cv_someone_elses", ""} {
		v.follow(v.post("/connections/con_1/cv", url.Values{"cv": {cv}}), "/connections").refuses(t, "Nothing was changed.")
	}
	if len(v.backend.updated) != 0 {
		t.Errorf("auth is told %v", v.backend.updated)
	}
}

func TestThePageShowsWhatEachAppSees(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	a := v.get("/connections")
	for _, want := range []string{
		"Connected since 9 February 2026", "Private contact details", "The CV you shared was deleted. نور للتوظيف sees no CV until you choose another one.",
		"You haven’t allowed Badge Maker to see a CV.",
	} {
		if !strings.Contains(a.text(), want) {
			t.Errorf("does not show %q: %s", want, a.text())
		}
	}
	if a.byID("con_3-cv") != nil || a.byID("con_2-cv") == nil {
		t.Error("a CV can be chosen where none was granted, or cannot where one was")
	}
	v.backend.connections = nil
	if a := v.get("/connections"); !strings.Contains(a.text(), "No apps are connected.") {
		t.Errorf("%s", a.text())
	}
}

func TestAnAppIsOneCardHoweverItIsConnectedAndDisconnectingEndsAllOfIt(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	first := v.backend.connections[0]
	v.backend.connections = append([]*authv1.Connection{{
		Id: "con_9", App: first.GetApp(), Scopes: []string{"profile:read"}, Legacy: true, CreatedAt: timestamppb.New(now.AddDate(-2, 0, 0)),
	}}, v.backend.connections...)
	page := v.get("/connections")
	if n := strings.Count(page.text(), "Acme Jobs Connected since"); n != 1 || !strings.Contains(page.text(), "Acme Jobs Connected since 9 March 2024") {
		t.Errorf("%d cards, or the first connection is forgotten: %s", n, page.text())
	}
	for _, want := range []string{"Whole profile and CV", "Private contact details", "Connected through the older profile sharing.", "Share my CV"} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("does not show %q", want)
		}
	}
	v.follow(v.post("/connections/con_9/disconnect", url.Values{}), "/connections").reports(t, "Acme Jobs is disconnected.")
	for _, c := range v.backend.connections {
		if c.GetApp().GetId() == first.GetApp().GetId() {
			t.Errorf("%s is still connected", c.GetId())
		}
	}
	if len(v.backend.connections) != 2 {
		t.Errorf("%d connections are left, want those of the two other apps", len(v.backend.connections))
	}
}

func TestAForgedNoticeIsNotShown(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.post("/connections/con_1/sharing", url.Values{"to": {"off"}})
	cookie := v.cookies["__Host-vitae_notice"]
	for _, value := range []string{"x" + cookie.Value, cookie.Value + "x", "", ".", strings.SplitN(cookie.Value, ".", 2)[0]} {
		v.cookies["__Host-vitae_notice"] = &http.Cookie{Name: cookie.Name, Value: value}
		if a := v.get("/connections"); strings.Contains(a.body, `role="status"`) {
			t.Errorf("%q is shown: %s", value, a.text())
		}
	}
}

func TestACardNamesThePublisher(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.connections[0].PublisherName, v.backend.connections[0].PublisherVerified = "Acme Recruiting", true
	v.backend.connections[1].PublisherName = "Somebody"
	v.backend.connections[2].PublisherName, v.backend.connections[2].PublisherOwn = "Vitae", true
	text := v.get("/connections").text()
	for _, want := range []string{"Published by Acme Recruiting Verified by Vitae", "Published by Somebody Not verified by Vitae", "Published by Vitae Part of Vitae"} {
		if !strings.Contains(text, want) {
			t.Errorf("does not say %q: %s", want, text)
		}
	}
}
