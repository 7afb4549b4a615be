package connections_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// switches returns the states of the switches on a page, by the URL of their form.
func switches(a pagestest.Response) map[string]string {
	states := map[string]string{}
	for n := range a.Root.Descendants() {
		if pagestest.Attribute(n, "role") == "switch" {
			states[pagestest.Attribute(n.Parent, "action")] = pagestest.Attribute(n, "aria-checked")
		}
	}
	return states
}

// control returns the switch in the form with the given URL.
func control(a pagestest.Response, action string) *html.Node {
	for n := range a.Root.Descendants() {
		if pagestest.Attribute(n, "role") == "switch" && pagestest.Attribute(n.Parent, "action") == action {
			return n
		}
	}
	return &html.Node{}
}

func TestGrantedPermissionHasSwitch(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	want := map[string]string{
		"/connections/con_1/email": "true", "/connections/con_1/photo": "true", "/connections/con_1/sharing": "true", "/connections/con_1/contact": "true",
		"/connections/con_2/sharing": "false", "/connections/con_3/email": "true",
	}
	got := switches(v.Get("/connections"))
	if len(got) != len(want) {
		t.Errorf("switches are %v", got)
	}
	for path, state := range want {
		if got[path] != state {
			t.Errorf("%s is %q", path, got[path])
		}
	}
	do := func(path, to, report string) {
		t.Helper()
		page := v.Follow(v.Post(path, url.Values{"to": {to}}), "/connections")
		page.Reports(t, report)
		if want := map[string]string{"on": "true", "off": "false"}[to]; switches(page)[path] != want {
			t.Errorf("%s turned %s is %q", path, to, switches(page)[path])
		}
	}
	do("/connections/con_1/email", "off", "Acme Jobs can no longer see your email address.")
	do("/connections/con_1/email", "on", "Acme Jobs can see your email address again.")
	do("/connections/con_1/photo", "off", "Acme Jobs can no longer see your photo.")
	do("/connections/con_1/photo", "on", "Acme Jobs can see your photo again.")
	do("/connections/con_1/contact", "off", "Acme Jobs can no longer see your private contact details.")
	do("/connections/con_1/contact", "on", "Acme Jobs can see your private contact details again.")
	do("/connections/con_1/sharing", "off", "Acme Jobs can no longer see your CV.")
	page := v.Get("/connections")
	if switches(page)["/connections/con_1/contact"] != "false" || !strings.Contains(page.Text(), "Off while your CV isn’t shared") {
		t.Errorf("the contact details are shown as shared without the CV: %s", page.Text())
	}
	if a := v.Post("/connections/con_1/email", url.Values{"to": {"maybe"}}); a.StatusCode != 400 {
		t.Errorf("form without a state: status %d", a.StatusCode)
	}
}

func TestDeclinedPermissionLinksToApp(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.CVs.HasPhoto = false
	v.Backend.Connections = v.Backend.Connections[2:]
	c := v.Backend.Connections[0]
	if a := v.Get("/connections"); strings.Contains(a.Text(), "Not shared") {
		t.Errorf("app that may request nothing more: %s", a.Text())
	}
	c.App.Scopes, c.App.Homepage, c.DeclinedScopes = []string{"profile", "email", "cv:read"}, "https://badges.example/", []string{"cv:contact"}
	a := v.Get("/connections")
	if want := "CV Not shared Private contact details Not shared To share more, sign in at Badge Maker again"; !strings.Contains(a.Text(), want) {
		t.Errorf("%q is missing: %s", want, a.Text())
	}
	if got := a.Link("Go to Badge Maker"); got != "https://badges.example/" {
		t.Errorf("link leads to %q", got)
	}
	c.Legacy = true // which shares everything
	if a := v.Get("/connections"); strings.Contains(a.Text(), "Not shared") {
		t.Errorf("app on the legacy interface: %s", a.Text())
	}
}

func TestLegacyInterfaceOverridesSwitches(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	first := v.Backend.Connections[0]
	v.Backend.Connections = append(v.Backend.Connections, &authv1.Connection{
		Id: "con_9", App: first.GetApp(), Scopes: []string{"profile:read"}, GrantedScopes: []string{"profile:read"}, Legacy: true,
		PhotoGranted: true, SharePhoto: true, CreatedAt: timestamppb.New(pagestest.Now),
	})
	first.Scopes, first.WithheldScopes, first.CvSharing = []string{"profile"}, []string{"email"}, false
	page := v.Get("/connections")
	for _, path := range []string{"email", "sharing", "contact"} {
		button := control(page, "/connections/con_1/"+path)
		if pagestest.Attribute(button, "aria-checked") != "true" || !pagestest.Has(button, "disabled") {
			t.Errorf("%s is %v while the legacy interface shows the data", path, button.Attr)
		}
	}
	if !strings.Contains(page.Text(), "On. Acme Jobs sees this through the older profile sharing") {
		t.Errorf("the page does not explain this: %s", page.Text())
	}
	// The form comes from a stale page. The notice must nevertheless report the actual state.
	v.Follow(v.Post("/connections/con_1/email", url.Values{"to": {"off"}}), "/connections").Reports(t, "Acme Jobs still sees it through the older profile sharing.")
	v.Follow(v.Post("/connections/con_1/photo", url.Values{"to": {"off"}}), "/connections").Reports(t, "Acme Jobs can no longer see your photo.")
	if v.Backend.Connections[3].GetSharePhoto() {
		t.Error("the legacy interface still shows the photo")
	}
	if a := v.Post("/connections/con_1/end-older", url.Values{}); a.StatusCode != http.StatusBadRequest {
		t.Errorf("the current connection can be ended as the legacy one: status %d", a.StatusCode)
	}
	page = v.Follow(v.Post("/connections/con_9/end-older", url.Values{}), "/connections")
	page.Reports(t, "The older profile sharing with Acme Jobs has ended.")
	if button := control(page, "/connections/con_1/email"); pagestest.Attribute(button, "aria-checked") != "false" || pagestest.Has(button, "disabled") || len(v.Backend.Connections) != 3 {
		t.Errorf("after the change: %v, %d connections", button.Attr, len(v.Backend.Connections))
	}
}

func TestAppCanBePausedAndResumed(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	page := v.Follow(v.Post("/connections/con_1/pause", url.Values{"to": {"on"}}), "/connections")
	page.Reports(t, "Acme Jobs is paused. It sees nothing until you resume it.")
	for _, want := range []string{"Paused on 9 March 2026. Acme Jobs sees nothing until you resume it.", "On when you resume Acme Jobs.", "Resume"} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
	v.Follow(v.Post("/connections/con_1/email", url.Values{"to": {"on"}}), "/connections").Reports(t, "Acme Jobs sees it when you resume it.")
	page = v.Follow(v.Post("/connections/con_1/pause", url.Values{"to": {"off"}}), "/connections")
	page.Reports(t, "Acme Jobs is resumed.")
	if strings.Contains(page.Text(), "Paused on") {
		t.Error("the app is still paused")
	}
}

func TestEndOfAccessCanBeSetAndRemoved(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	choose := func(end, date string) pagestest.Response {
		t.Helper()
		return v.Follow(v.Post("/connections/con_1/end", url.Values{"end": {end}, "date": {date}}), "/connections")
	}
	end := func(end, date, report string) pagestest.Response {
		t.Helper()
		page := choose(end, date)
		page.Reports(t, report)
		return page
	}
	ends := func(want time.Time) {
		t.Helper()
		if got := v.Backend.Connections[0].GetEndsAt().AsTime(); !got.Equal(want) {
			t.Errorf("access ends at %s, want %s", got, want)
		}
	}
	end("day", "", "Access for Acme Jobs ends automatically.")
	ends(pagestest.Now.Add(24 * time.Hour))
	end("month", "", "Access for Acme Jobs ends automatically.")
	ends(pagestest.Now.AddDate(0, 1, 0))
	page := end("date", "2026-05-01", "Access for Acme Jobs ends automatically.")
	ends(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	if !strings.Contains(page.Text(), "Acme Jobs loses all access automatically on 1 May 2026 at 00:00 UTC") {
		t.Errorf("page is %s", page.Text())
	}
	for _, date := range []string{"", "yesterday", "2026-03-01"} {
		refused := v.Post("/connections/con_1/end", url.Values{"end": {"date"}, "date": {date}})
		field := refused.ByID("con_1-end-date")
		if refused.StatusCode != http.StatusUnprocessableEntity || field == nil || !strings.Contains(refused.Body, `value="date" selected`) || pagestest.Attribute(field, "value") != date || pagestest.Attribute(field, "aria-invalid") != "true" ||
			!strings.Contains(refused.Text(), "Choose a date after today and within ten years.") {
			t.Errorf("%q: status %d: %s", date, refused.StatusCode, refused.Text())
		}
	}
	end("keep", "", "Nothing was changed.")
	ends(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	end("none", "", "Acme Jobs keeps its access until you disconnect it.")
	if v.Backend.Connections[0].GetEndsAt() != nil {
		t.Error("the end date was not removed")
	}
}
