package accounts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit/addressfile"
)

// Client IP addresses, named after their locations in the test's address database.
const (
	inRiyadh = "203.0.113.7"
	inBerlin = "198.51.100.7"
	nowhere  = "192.0.2.7"
)

// countryTexts holds the labels and messages about countries that the pages show in one language.
type countryTexts struct {
	labels
	session, own, opened string
}

// The person is in Riyadh. The app reads from Berlin, and once from an IP address in no known country.
func TestPersonSeesCountries(t *testing.T) {
	t.Parallel()
	s := suite.Start(t, "countries", suite.NoTiers, "VITAE_TRUSTED_PROXIES=127.0.0.1",
		"VITAE_ADDRESS_DATABASE="+addressfile.Write(t, map[string]string{"203.0.113.0/24": "SA", "198.51.100.0/24": "DE"}))
	in := scene.Of(t, s, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}})
	c := scene.Connected{Scene: in, App: in.Client(t, "web"), Person: in.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	read := func(path, address string) map[string]any {
		t.Helper()
		return expect.Success(t, c.Get(t, path, "X-Forwarded-For", address))
	}
	read("/v1/me", inBerlin)
	read("/v1/me", inBerlin)
	read("/v1/me", nowhere)
	link, _ := expect.At(read("/v1/me/cv", inBerlin), "pdf", "url").(string)
	if a := expect.Must(partner.Get(t.Context(), link, "", "X-Forwarded-For", inRiyadh))(t); a.Status != http.StatusOK {
		t.Fatalf("opening the durable link: %s", a)
	}
	who := in.World.People[0]
	auth := stored.Database(t, s, "auth")
	expect.Eventually(t, "the reads are counted", func(ctx context.Context) error {
		var reads int
		err := auth.QueryRow(ctx, "SELECT coalesce(sum(reads), 0) FROM connection_reads").Scan(&reads)
		if err == nil && reads < 5 {
			err = fmt.Errorf("%d reads are counted, want 5", reads)
		}
		return err
	})

	for i, l := range []countryTexts{
		{english, "Country: Saudi Arabia.", "From: Germany (3), an unknown country (1)", "From: Saudi Arabia (1)"},
		{arabic, "البلد: المملكة العربية السعودية.", "من: ألمانيا (3)، بلد غير معروف (1)", "من: المملكة العربية السعودية (1)"},
	} {
		d := newDevice(t, l.labels, browser.Options{Width: 360, Height: 740, Address: inRiyadh})
		d.Open(s.AppURLs[0] + "/account")
		d.send(l.signIn, l.email, who.Email, l.password, who.Password)
		d.Find("heading", l.account)
		d.until(l.session)
		d.checkPage("sessions")
		expect.Eventually(t, "the sign-in notice contains the country", func(context.Context) error {
			named := slices.DeleteFunc(mailbox.SignIns(t, s, who.Email), func(m mailbox.Mail) bool {
				return !strings.Contains(m.Text, ", \u2068Saudi Arabia\u2069") && !strings.Contains(m.Text, "، \u2068المملكة العربية السعودية\u2069")
			})
			if len(named) != i+1 {
				return fmt.Errorf("%d notices contain it, want %d", len(named), i+1)
			}
			return nil
		})
		d.Open(s.AppURLs[0] + "/account/activity")
		d.until(l.session)
		d.checkPage("activity")
		d.Open(s.AppURLs[0] + "/connections/" + connectionOf(t, c) + "/reads")
		d.until(l.own)
		d.until(l.opened)
		d.checkPage("reads")
	}
	checkExport(t, c)
}

// connectionOf returns the id of the person's connection.
func connectionOf(t *testing.T, c scene.Connected) (id string) {
	t.Helper()
	if err := stored.Database(t, c.Stack, "auth").QueryRow(t.Context(), "SELECT id FROM connections WHERE person_id = $1", c.Created.People["layla"].ID).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// checkExport checks that the copy of a person's data contains the countries and matches its schema.
func checkExport(t *testing.T, c scene.Connected) {
	t.Helper()
	m := &marked{Platform: scene.Platform{Scene: c.Scene}, browser: c.Person}
	files := unpacked(t, download(t, m.browser, m.export(t)))
	follow(t, files["export.schema.json"], files["export.json"])
	var d struct {
		Connections []struct {
			Reads []struct {
				Kind      string
				Countries []struct {
					Country string
					Count   int
				}
			}
		}
		Sessions []struct{ Country string }
	}
	if err := json.Unmarshal(files["export.json"], &d); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range d.Connections[0].Reads {
		for _, from := range r.Countries {
			got[r.Kind] += from.Country
		}
	}
	if got["identity"] != "DE" || got["cv"] != "DE" || got["link"] != "SA" || len(got) != 3 {
		t.Errorf("the copy has reads from %v", got)
	}
	inSaudiArabia := 0
	for _, s := range d.Sessions {
		if s.Country == "SA" {
			inSaudiArabia++
		}
	}
	if inSaudiArabia < 2 { // one session for each language
		t.Errorf("the copy has the sessions %v, want two in Saudi Arabia", d.Sessions)
	}
}
