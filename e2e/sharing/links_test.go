package sharing_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

func TestDurableLinkIsStable(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	c.Tokens = next
	if again := c.Link(t); again != link {
		t.Errorf("link %s after %s", again, link)
	}
	// The link shows the CV that the person currently shares.
	if err := c.Person.ChooseCV(t.Context(), c.Stack.AppURLs[0], c.AppName(t, "web"), "السيرة الذاتية"); err != nil {
		t.Fatal(err)
	}
	if again := c.Link(t); again != link {
		t.Errorf("link %s after %s: choosing a different CV must not change it", again, link)
	}
	expect.Shows(t, "link", expect.Flattened(expect.PDFText(t, scene.Open(t, link))), true, "مهندسة أولى")
	expect.Matches(t, "id", c.Created.CVs["arabic"].ID, expect.Success(t, c.Get(t, "/v1/me/cv"))["id"])
	for _, base := range c.Stack.BaseURLs {
		if a := scene.Open(t, base+scene.Path(t, link)); a.Status != http.StatusOK {
			t.Errorf("%s: %s", base, a)
		}
	}
}
