package console_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// observed is an app with two keys, and a member of its account.
type observed struct {
	*scene.Scene
	key, other partner.Employer
}

func newObserved(t *testing.T) observed {
	t.Helper()
	dev := world.OneDeveloper()
	dev.Apps[0].APIKeys = []world.APIKey{
		{Ref: "all", Name: "everything", Scopes: world.CompanyScopes}, {Ref: "jobs", Name: "jobs only", Scopes: []string{"jobs:read"}},
	}
	dev.Members = []world.Member{{Person: "layla", Role: "viewer"}}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}})
	o := observed{Scene: s, key: partner.Employer{BaseURL: s.Stack.BaseURLs[0], Key: s.Created.APIKeys["all"].Key}}
	o.other = o.key.With(s.Created.APIKeys["jobs"].Key).At(s.Stack.BaseURLs[1])
	return o
}

// ids returns the ids of the requests on a page, from top to bottom.
func ids(p *page.Page) (found []string) {
	for _, link := range p.All("link", "") {
		if name := link.Name(); strings.HasPrefix(name, "req_") {
			found = append(found, name)
		}
	}
	return found
}

func TestFailedRequestIsFound(t *testing.T) {
	t.Parallel()
	o := newObserved(t)
	good := expect.Must(o.key.Companies(t.Context(), ""))(t).Header.Get("x-request-id")
	lost := expect.Must(o.key.Job(t.Context(), "job_none"))(t).Header.Get("x-request-id")
	faulty := expect.Must(o.key.Call(t.Context(), http.MethodPost, "/v1/companies", map[string]any{"name": ""}))(t)
	refused := expect.Must(o.other.Companies(t.Context(), ""))(t).Header.Get("x-request-id")
	grant := expect.Must(o.Client(t, "web").Exchange(t.Context(), "svc_ac_cut", strings.Repeat("v", 43)))(t)
	v := enter(t, o.Scene, "layla")
	var all *page.Page
	expect.Eventually(t, "the requests are in the log", func(context.Context) error {
		if all = v.open("/requests").Page; len(ids(all)) != 5 {
			return fmt.Errorf("%d requests", len(ids(all)))
		}
		return nil
	})
	for _, text := range []string{"Time Method Route Status Error Duration App Request ID", "/v1/jobs/{jobId}", "JOB_NOT_FOUND", "API_KEY_INSUFFICIENT_SCOPE", o.AppName(t, "web")} {
		if !strings.Contains(all.Text(), text) {
			t.Errorf("the list does not show %q: %s", text, all.Text())
		}
	}
	message := faulty.Message()
	if message == "" || !strings.Contains(all.Text(), message) {
		t.Errorf("the list does not show the message %q: %s", message, all.Text())
	}
	if why := v.open("/requests/" + faulty.Header.Get("x-request-id")).Page.Text(); !strings.Contains(why, message) || !strings.Contains(why, "location: ") {
		t.Errorf("the page of the request does not show %q and the other validation errors: %s", message, why)
	}
	if !strings.Contains(all.Text(), "The code is malformed.") || strings.Contains(string(grant.Body), "malformed") {
		t.Errorf("the list does not show why the code was rejected, or the response reveals it: %s", all.Text())
	}
	for _, c := range []struct{ field, value, want string }{
		{"Status", "404", lost}, {"Error code", "API_KEY_INSUFFICIENT_SCOPE", refused}, {"Status", "2xx", good}, {"Route", "/v1/jobs/{jobId}", lost},
	} {
		at := v.press(all, "Filter", fill{text: map[string]string{c.field: c.value}})
		if got := ids(at.Page); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %s: %v, want %s", c.field, c.value, got, c.want)
		}
		if again := v.open(at.Page.URL.RequestURI()); len(ids(again.Page)) != 1 {
			t.Errorf("%s does not open the same list", at.Page.URL)
		}
	}
	found := v.press(all, "Filter", fill{text: map[string]string{"Request ID": refused}}).Page
	for _, text := range []string{refused, "API_KEY_INSUFFICIENT_SCOPE", "The key lacks the scope.", "jobs only", "127.0.0.1", "Left in this minute"} {
		if !strings.Contains(found.Text(), text) {
			t.Errorf("the page of the request does not show %q: %s", text, found.Text())
		}
	}
	meaning := expect.Must(found.One("link", "API_KEY_INSUFFICIENT_SCOPE in the documentation"))(t).Attr("href")
	if at := expect.Must(person.New("", "").Open(t.Context(), meaning))(t); at.Status != http.StatusOK || !strings.Contains(at.Page.Text(), "API_KEY_INSUFFICIENT_SCOPE") {
		t.Errorf("%s: status %d", meaning, at.Status)
	}
	ofKey := v.open(expect.Must(found.One("link", "All requests with this key"))(t).Attr("href"))
	if got := ids(ofKey.Page); len(got) != 1 || got[0] != refused {
		t.Errorf("requests with the key: %v", got)
	}
	if at := v.press(all, "Filter", fill{text: map[string]string{"Status": "teapot", "Route": "/v1/me"}}); at.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(at.Page.Text(), "such as 404") || expect.Must(at.Page.One("textbox", "Route"))(t).Value() != "/v1/me" {
		t.Errorf("an invalid filter: %d: %s", at.Status, at.Page.Text())
	}
}

func TestRequestsOfOtherAccountsAreHidden(t *testing.T) {
	t.Parallel()
	mine, theirs := newObserved(t), newObserved(t)
	secret := expect.Must(theirs.key.Companies(t.Context(), ""))(t).Header.Get("x-request-id")
	owner, stranger := enter(t, theirs.Scene, "layla"), enter(t, mine.Scene, "layla")
	expect.Eventually(t, "the request is in the log", func(context.Context) error {
		if at := owner.open("/requests/" + secret); at.Status != http.StatusOK {
			return fmt.Errorf("status %d", at.Status)
		}
		return nil
	})
	if at := stranger.open("/requests/" + secret); at.Status != http.StatusNotFound {
		t.Errorf("the page of the request: %d", at.Status)
	}
	for _, filter := range []url.Values{
		{"request-id": {secret}}, {"app": {theirs.Created.Apps["web"].ID}}, {"key": {theirs.Created.APIKeys["all"].ID}}, {"account": {theirs.Created.Developers["dev"].ID}},
	} {
		if at := stranger.open("/requests?" + filter.Encode()); len(ids(at.Page)) != 0 {
			t.Errorf("%v: %s", filter, at.Page.Text())
		}
	}
}
