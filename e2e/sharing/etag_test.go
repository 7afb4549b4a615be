package sharing_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func etag(t testing.TB, c scene.Connected) string {
	t.Helper()
	a := c.Get(t, "/v1/me/cv")
	expect.Success(t, a)
	return a.Header.Get("ETag")
}

func TestETagChangesWithSharedContent(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	tag := etag(t, c)
	for _, at := range c.Replicas(c.App) {
		a := expect.Must(at.Get(t.Context(), "/v1/me/cv", c.Tokens.Access, "If-None-Match", tag))(t)
		if a.Status != http.StatusNotModified || len(a.Body) != 0 || a.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %s, ETag %s; want an empty 304 with the tag", tag, a, a.Header.Get("ETag"))
		}
	}
	seen := map[string]string{tag: "at the start"}
	step := func(name string) {
		t.Helper()
		tag := etag(t, c)
		if before, again := seen[tag]; again {
			t.Errorf("after %s the ETag is the same as %s", name, before)
		}
		seen[tag] = "after " + name
	}
	layla := c.Created.People["layla"].ID
	scene.UpdateProfile(t, c.Stack, layla, scene.Headline("Principal engineer"))
	step("a new headline")
	scene.UpdateProfile(t, c.Stack, layla, scene.Phone("+971 50 999 9999"))
	step("a new phone number")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: false})
	step("withdrawing the photo")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Drop: []string{"cv:contact"}})
	step("withdrawing the contact details")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Drop: []string{"cv:contact", "email"}})
	step("withdrawing the email address")
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{CV: "السيرة الذاتية"})
	step("choosing a different CV")
}
