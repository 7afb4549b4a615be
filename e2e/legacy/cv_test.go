package legacy_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestLegacyCVEndsWithConnection(t *testing.T) {
	t.Parallel()
	o, got := connectAndRead(t, world.Full(), person.Choice{})
	link := got["cvUrl"].(string)
	a := scene.Open(t, link)
	if a.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("%s has the headers %v", link, a.Header)
	}
	text := expect.PDFText(t, a)
	if !strings.Contains(text, "Layla Haddad") || strings.Contains(text, world.Address) || strings.Contains(text, "Golden visa") {
		t.Errorf("the text of the CV is\n%s", text)
	}
	if err := o.Person.Disconnect(t.Context(), o.Stack.AppURLs[0], o.AppName(t, "older")); err != nil {
		t.Fatal(err)
	}
	for _, u := range o.Stack.BaseURLs {
		expect.Refused(t, expect.Must(partner.Get(t.Context(), u+scene.Path(t, link), ""))(t), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	}
}
