package sharing_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

func TestDurableLinkIsTheSameForEveryReadAndToken(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	c.Tokens = next
	if again := c.Link(t); again != link {
		t.Errorf("link %s after %s", again, link)
	}
	// The link shows the CV that the person shares now.
	if err := c.Person.ChooseCV(t.Context(), c.Stack.AppURLs[0], c.AppName(t, "web"), "السيرة الذاتية"); err != nil {
		t.Fatal(err)
	}
	if again := c.Link(t); again != link {
		t.Errorf("link %s after %s: another CV is the same consent", again, link)
	}
	expect.Shows(t, "link", expect.Flattened(expect.PDFText(t, scene.Open(t, link))), true, "مهندسة أولى")
	expect.Matches(t, "id", c.Created.CVs["arabic"].ID, expect.Success(t, c.Get(t, "/v1/me/cv"))["id"])
	for _, base := range c.Stack.BaseURLs {
		if a := scene.Open(t, base+scene.Path(t, link)); a.Status != http.StatusOK {
			t.Errorf("%s: %s", base, a)
		}
	}
}

func TestTamperedLinksAreUnknown(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	prefix := link[:strings.LastIndexByte(link, '/')+1]
	token := link[len(prefix):]
	tampered := []string{
		"x", "..", "%00", "%2e%2e%2f", token[:len(token)-1], token + "A", strings.ToUpper(token), token + "%20",
		strings.Repeat("A", len(token)), strings.Repeat("A", 4000), c.Tokens.Access,
	}
	for i := 0; i < len(token); i += 7 {
		flipped := byte('A')
		if token[i] == 'A' {
			flipped = 'B'
		}
		tampered = append(tampered, token[:i]+string(flipped)+token[i+1:])
	}
	for _, bad := range tampered {
		a := scene.Open(t, prefix+bad)
		if code := a.Code(); a.Status != http.StatusNotFound || (code != "CV_LINK_NOT_FOUND" && code != "NOT_FOUND") {
			t.Errorf("link with %q: %s", bad, a)
		}
	}
	expect.Refused(t, scene.Open(t, prefix+token[:len(token)-2]+"AA"), http.StatusNotFound, "CV_LINK_NOT_FOUND")
}
