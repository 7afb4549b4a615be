package sharing_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestETagStaysWhileNothingChanges(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	tag := etag(t, c)
	if strings.HasPrefix(tag, "W/") || len(tag) < 3 {
		t.Fatalf("ETag %s, want a strong one", tag)
	}
	for range 3 {
		for _, at := range c.Replicas(c.App) {
			if again := expect.Must(at.Get(t.Context(), "/v1/me/cv", c.Tokens.Access))(t).Header.Get("ETag"); again != tag {
				t.Errorf("ETag %s after %s, nothing has changed", again, tag)
			}
		}
	}
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	if again := expect.Must(c.App.Get(t.Context(), "/v1/me/cv", next.Access))(t).Header.Get("ETag"); again != tag {
		t.Error("the ETag depends on the token")
	}
	for _, match := range []string{tag, "*", `"other", ` + tag, "W/" + tag, `"a","b",` + tag + `,"c"`} {
		a := c.Get(t, "/v1/me/cv", "If-None-Match", match)
		expect.Identified(t, a)
		if a.Status != http.StatusNotModified || len(a.Body) != 0 || a.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %s, ETag %s; want an empty 304 with the tag", match, a, a.Header.Get("ETag"))
		}
	}
	for _, match := range []string{`"other"`, strings.Trim(tag, `"`), "", `"` + strings.ToUpper(tag) + `"`} {
		expect.Success(t, c.Get(t, "/v1/me/cv", "If-None-Match", match))
	}
}

func etag(t testing.TB, c scene.Connected) string {
	t.Helper()
	a := c.Get(t, "/v1/me/cv")
	expect.Success(t, a)
	return a.Header.Get("ETag")
}

func TestETagMovesWithEverythingThatIsShown(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	seen := map[string]string{etag(t, c): "at first"}
	step := func(name string) {
		t.Helper()
		tag := etag(t, c)
		if before, again := seen[tag]; again {
			t.Errorf("after %s the ETag is the one %s", name, before)
		}
		seen[tag] = "after " + name
	}
	layla := c.Created.People["layla"].ID
	scene.UpdateProfile(t, c.Stack, layla, scene.Headline("Principal engineer"))
	step("a new headline")
	scene.UpdateProfile(t, c.Stack, layla, scene.Phone("+971 50 999 9999"))
	step("a new phone number")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: false})
	step("taking back the photo")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Drop: []string{"cv:contact"}})
	step("taking back the contact details")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Drop: []string{"cv:contact", "email"}})
	step("taking back the e-mail address")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{CV: "السيرة الذاتية"})
	step("choosing another CV")
}

func TestUpdatedAtMovesWithTheCVAndNotWithReads(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	before := expect.Success(t, c.Get(t, "/v1/me/cv"))["updatedAt"]
	if again := expect.Success(t, c.Get(t, "/v1/me/cv"))["updatedAt"]; again != before {
		t.Errorf("updatedAt %v after %v, nothing has changed", again, before)
	}
	scene.UpdateProfile(t, c.Stack, c.Created.People["layla"].ID, scene.Headline("Principal engineer"))
	after := expect.Success(t, c.Get(t, "/v1/me/cv"))
	if after["updatedAt"].(string) <= before.(string) {
		t.Errorf("updatedAt %v after a change, was %v", after["updatedAt"], before)
	}
	expect.Matches(t, "title", "Principal engineer", expect.At(after, "document", "title"))
}
