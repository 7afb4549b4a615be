package legacy_test

import (
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestConnectionsPageShowsBothInterfaces(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	token := o.Connect(t, person.Choice{})
	at := expect.Must(o.Person.Connections(t.Context(), o.Stack.AppURLs[0]))(t)
	region := expect.Must(at.One("region", o.AppName(t, "older")))(t)
	expect.Must(region.One("button", person.DisconnectButton))(t)
	if len(region.All("combobox", person.SharedCV)) > 0 || len(region.All("switch", "")) > 0 {
		t.Error("a legacy connection without a photo has a select or a switch")
	}
	if !strings.Contains(region.Text(), "older profile sharing") || !strings.Contains(region.Text(), "phone number") {
		t.Errorf("the region does not say what the app sees: %s", region.Text())
	}
	app := o.Client(t, "older")
	tokens := scene.Connect(t, app, o.Person, world.EveryScope, person.Choice{})
	expect.Success(t, expect.Must(app.Get(t.Context(), "/v1/me/cv", tokens.Access))(t))
	at = expect.Must(o.Person.Connections(t.Context(), o.Stack.AppURLs[0]))(t)
	region = expect.Must(at.One("region", o.AppName(t, "older")))(t) // one card for both connections
	if !strings.Contains(region.Text(), "older profile sharing") {
		t.Errorf("the card does not show both connections: %s", region.Text())
	}
	for _, name := range []string{"Share my email address", person.ShareMyCV, "Share private contact details"} {
		if sw := expect.Must(region.One("switch", name))(t); !sw.Checked() || !sw.Disabled() {
			t.Errorf("%s can be switched although the legacy connection shares it", name)
		}
	}
	o.Alive(t, token)
	expect.Inactive(t, expect.Must(app.Introspect(t.Context(), token))(t))

	end := expect.Must(region.One("button", "End the older sharing"))(t)
	expect.Must(o.Person.Press(t.Context(), expect.Must(at.FormOf(end))(t), end))(t)
	o.Dead(t, token)
	expect.Success(t, expect.Must(app.Get(t.Context(), "/v1/me/cv", tokens.Access))(t))
}
