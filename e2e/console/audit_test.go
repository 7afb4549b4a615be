package console_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/scene"
)

// chosen sends the filter of the audit log with choices.
func (d developing) chosen(at *page.Page, choices map[string]string) *page.Page {
	d.t.Helper()
	filter := expect.Must(at.One("button", "Filter"))(d.t)
	form := expect.Must(at.FormOf(filter))(d.t)
	for name, choice := range choices {
		if err := form.Select(expect.Must(at.One("combobox", name))(d.t), choice); err != nil {
			d.t.Fatal(err)
		}
	}
	return expect.Must(d.Press(d.t.Context(), form, filter))(d.t).Page
}

func TestTheAuditLogIsReadByNameAndFilteredByWhoWhatAndHowItEnded(t *testing.T) {
	t.Parallel()
	d := develop(t)
	log := d.open("/audit").Page
	if key := expect.Must(log.One("link", "ats"))(t); key.Attr("href") != d.app+"/keys" {
		t.Errorf("the key leads to %s", key.Attr("href"))
	}
	who := d.scene.World.People[0]
	for choice, want := range map[string]bool{"API key created (api_key.create)": true, "API key deleted (api_key.delete)": false} {
		at := d.chosen(log, map[string]string{"Action": choice, "Outcome": "Done", "Person": who.Name, "App": "Layla Hiring"})
		if at.Has("table", "Audit log") != want || at.Has("link", "ats") != want {
			t.Errorf("%s: %s", choice, at.Text())
		}
	}
	id := strings.TrimPrefix(d.app, "/apps/")
	for _, line := range strings.Split(d.open("/audit.csv?action=app.create").Page.Text(), "\n") {
		if !strings.Contains(line, id) || !strings.Contains(line, "Layla Hiring") {
			t.Errorf("the file has %s", line)
		}
	}

	// Nothing is refused to who looks for what is not there.
	for range 3 {
		d.open("/requests/req_01jd0000000000000000000000")
		d.open("/requests?status=teapot")
	}
	if at := d.chosen(log, map[string]string{"Outcome": "Refused"}); at.Has("table", "Audit log") || !strings.Contains(at.Text(), "No events match") {
		t.Errorf("a look-up that finds nothing is in the audit log: %s", at.Text())
	}
	if got := scene.Raw(t, http.MethodGet, d.url+"/audit", "", "").Status; got != http.StatusSeeOther {
		t.Errorf("without a session: %d", got)
	}
}
