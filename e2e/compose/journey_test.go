//go:build compose

package compose_test

import (
	"os"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

const site = "http://127.0.0.1:8090"

// startSite runs the example partner site with the client credentials from the output of the import
// (deploy/docker/README.md).
func (d *deployment) startSite(t testing.TB) {
	t.Helper()
	app := d.world.Apps["rasheed-talent"]
	text, err := os.ReadFile(d.dir + "/.env")
	if err != nil {
		t.Fatal(err)
	}
	write(t, d.dir+"/.env", strings.NewReplacer("CLIENT_ID=\n", "CLIENT_ID="+app.ClientID+"\n",
		"CLIENT_SECRET=\n", "CLIENT_SECRET="+app.ClientSecret+"\n").Replace(string(text)))
	d.compose(t, "--profile", "partner", "up", "--detach", "--no-build", "--no-deps", "partner-app")
	d.awaitHealthy(t, "partner-app", 1)
}

func TestSignInAndDisconnectInBrowser(t *testing.T) {
	d := running(t)
	d.startSite(t)
	b := browser.Start(t, browser.Options{})
	b.Open(site)
	b.Find("button", "Sign in with Vitae").Click()
	b.Find("textbox", "Email").Fill("aisha.alkaabi@demo.vitae.example")
	b.Find("textbox", "Password").Fill("demo-password-aisha")
	b.Find("button", "Sign in").Click()
	b.Find("button", "Allow").Click()
	link := b.FindWith("link", "/v1/cv-links/").Attribute("href")
	pdf := expect.PDFText(t, expect.Must(partner.Get(t.Context(), link, ""))(t))
	expect.Shows(t, "the durable link", expect.Flattened(pdf), true, "aisha.alkaabi@demo.vitae.example")

	b.Open(pages + "/connections")
	app := "Rasheed Talent"
	b.Find("region", app).Find("button", "Disconnect").Click()
	b.Find("button", "Yes, disconnect").Click()
	b.Gone("button", "Yes, disconnect") // the confirmation page has no region for the app either
	b.Gone("region", app)
	expect.Refused(t, expect.Must(partner.Get(t.Context(), link, ""))(t), 404, "CV_LINK_NOT_FOUND")
}

func TestProxyServesConsoleAndLegacy(t *testing.T) {
	running(t)
	b := browser.Start(t, browser.Options{})
	b.Open(desk)
	b.Find("textbox", "Email").Fill("rashid.almansoori@demo.vitae.example")
	b.Find("textbox", "Password").Fill("demo-password-rashid")
	b.Find("button", "Sign in").Click()
	again := "Continue as Rashid Al Mansoori to Vitae Console"
	b.Until("the consent page or the console is shown", func() bool {
		return b.Has("button", "Allow") || b.Has("button", again) || b.Has("navigation", "Console")
	})
	for _, button := range []string{"Allow", again} {
		if b.Has("button", button) {
			b.Find("button", button).Click()
		}
	}
	b.Find("navigation", "Console")
	if a := expect.Must(partner.Get(t.Context(), legacy+"/nothing", ""))(t); a.Status != 404 || a.Header.Get("X-Request-Id") == "" {
		t.Error(a)
	}
}
