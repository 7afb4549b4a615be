package console_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/page"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

// developing is a person with an account, an app and the app's API key.
type developing struct {
	visitor
	scene *scene.Scene
	// key is the API key. app is the path of the app's page.
	key, app string
}

// develop creates an account with an app and a key, on the pages.
func develop(t *testing.T) developing {
	t.Helper()
	expect.OneDay(t)
	s := scene.New(t)
	v := enter(t, s, "layla")
	v.press(v.open("/").Page, "Create account", fill{text: map[string]string{"Name": "Layla Works"}})
	v.press(v.open("/apps/new").Page, "Create app", fill{text: map[string]string{"Name": "Layla Hiring", "Redirect URIs": "https://layla.example/callback"}})
	app := expect.Must(v.open("/apps").Page.One("link", "Layla Hiring"))(t).Attr("href")
	made := v.press(v.open(app+"/keys").Page, "Create key", fill{text: map[string]string{"Name": "ats"}, ticks: []string{"companies:read"}})
	return developing{v, s, newCredential(t, made), app}
}

// send sends n requests with the key and asserts the status of each response.
func (d developing) send(path string, n, want int) {
	d.t.Helper()
	for range n {
		if got := scene.Raw(d.t, http.MethodGet, d.scene.Stack.BaseURLs[0]+path, "", "", "Authorization", "Bearer "+d.key).Status; got != want {
			d.t.Fatalf("%s: status %d", path, got)
		}
	}
}

// awaitRow opens a page repeatedly until a row of the given table starts with want, and returns the page.
func (d developing) awaitRow(path, table, want string) (at person.Visit) {
	d.t.Helper()
	expect.Eventually(d.t, want+" in "+table, func(ctx context.Context) error {
		var err error
		if at, err = d.Open(ctx, d.url+path); err != nil {
			return err
		}
		shown, err := at.Page.One("table", table)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(shown.All("row", ""), func(row page.Element) bool { return strings.HasPrefix(row.Text(), want) }) {
			return fmt.Errorf("the table is %s", shown.Text())
		}
		return nil
	})
	return at
}

func TestUsageShowsRequests(t *testing.T) {
	t.Parallel()
	d := develop(t)
	d.send("/v1/companies", 7, http.StatusOK)
	d.send("/v1/companies/com_00000000000000000000000000/jobs", 2, http.StatusForbidden)
	d.send("/v1/companies/com_00000000000000000000000000", 3, http.StatusForbidden)

	today := time.Now().UTC()
	at := d.awaitRow("/usage?by=key", "Requests per day", today.Format("2 Jan 2006")+" Layla Hiring ats 12 12 5 0")
	for _, image := range []string{"Requests per day", "The last hour"} {
		expect.Must(at.Page.One("img", image))(t)
	}
	if !slices.ContainsFunc(at.Page.All("radio", ""), func(e page.Element) bool {
		return strings.HasSuffix(e.Name(), "(today, so far): 12. Layla Hiring: ats: 12.")
	}) {
		t.Errorf("no column of the plot names the requests: %s", at.Page.Text())
	}
	file := d.open(expect.Must(at.Page.One("link", "Download CSV"))(t).Attr("href"))
	lines := strings.Fields(file.Page.Text())
	if len(lines) != 1+30 || strings.TrimPrefix(lines[0], "\ufeff") != "day,app,key,requests,metered,refused" || !strings.HasPrefix(lines[1], today.Format(time.DateOnly)+","+strings.TrimPrefix(d.app, "/apps/")+",key_") || !strings.HasSuffix(lines[1], ",12,12,0") {
		t.Errorf("the file is %s", lines)
	}

	logged := d.open(expect.Must(at.Page.One("link", "Show these requests"))(t).Attr("href"))
	if rows := expect.Must(logged.Page.One("table", "Requests"))(t).All("row", ""); len(rows) != 1+12 {
		t.Errorf("the link of the column opens %d rows of the log: %s", len(rows), logged.Page.Text())
	}

	d.awaitRow("/usage?by=status", "Requests per day", today.Format("2 Jan 2006")+" 12 7 0 5 0 0 12")
	d.awaitRow("/usage", "Errors and latency by route", "GET /v1/companies 7 0% 0 ")
	d.awaitRow("/usage", "Errors and latency by route", "GET /v1/companies/{companyId} 3 100% 0 ")
	if file := d.open("/usage/minutes.csv"); !strings.HasPrefix(strings.TrimPrefix(file.Page.Text(), "\ufeff"), "minute,requests,metered,refused ") {
		t.Errorf("the minutes are %s", file.Page.Text())
	}
}
