package person

import (
	"context"
	"fmt"
	"net/http"

	"vitae.internal/e2e/internal/page"
)

// Connections opens the connected apps page, and signs in if necessary.
func (p *Person) Connections(ctx context.Context, appURL string) (*page.Page, error) {
	visit, err := p.Open(ctx, appURL+"/connections")
	if err != nil {
		return nil, err
	}
	if visit.Page != nil && visit.Page.Has("button", SignInButton) {
		if visit, err = p.SignIn(ctx, visit.Page); err != nil {
			return nil, err
		}
	}
	return shown(visit)
}

func shown(v Visit) (*page.Page, error) {
	if v.Outside != nil {
		return nil, fmt.Errorf("redirected to %s", v.Outside)
	}
	if v.Status != http.StatusOK {
		return nil, fmt.Errorf("%s: status %d: %s", v.Page.URL, v.Status, v.Page.Text())
	}
	return v.Page, nil
}

// Disconnect disconnects an app, and confirms the disconnection.
func (p *Person) Disconnect(ctx context.Context, appURL, app string) error {
	at, err := p.Connections(ctx, appURL)
	if err != nil {
		return err
	}
	asked, err := p.pressIn(ctx, at, app, DisconnectButton)
	if err != nil {
		return err
	}
	if !asked.Has("heading", "Disconnect "+app+"?") {
		return fmt.Errorf("%s: no confirmation page: %s", asked.URL, asked.Text())
	}
	button, err := asked.One("button", YesButton)
	if err != nil {
		return err
	}
	form, err := asked.FormOf(button)
	if err != nil {
		return err
	}
	return p.submit(ctx, form, button)
}

// pressIn presses a button in an app's region of the page.
func (p *Person) pressIn(ctx context.Context, at *page.Page, app, name string) (*page.Page, error) {
	region, err := at.One("region", app)
	if err != nil {
		return nil, err
	}
	button, err := region.One("button", name)
	if err != nil {
		return nil, err
	}
	form, err := at.FormOf(button)
	if err != nil {
		return nil, err
	}
	visit, err := p.Press(ctx, form, button)
	if err != nil {
		return nil, err
	}
	return shown(visit)
}

func (p *Person) submit(ctx context.Context, form *page.Form, button page.Element) error {
	visit, err := p.Press(ctx, form, button)
	if err != nil {
		return err
	}
	_, err = shown(visit)
	return err
}

// Share turns CV sharing with an app on or off, and checks that the page then shows the new state.
// Without JavaScript the switch is either a submit button, or a checkbox with a save button.
func (p *Person) Share(ctx context.Context, appURL, app string, on bool) error {
	at, err := p.Connections(ctx, appURL)
	if err != nil {
		return err
	}
	region, err := at.One("region", app)
	if err != nil {
		return err
	}
	sw, err := region.One("switch", ShareMyCV)
	if err != nil {
		return err
	}
	if sw.Checked() == on {
		return fmt.Errorf("%s: the switch is already %v", app, on)
	}
	if err := p.toggle(ctx, at, region, sw, on); err != nil {
		return err
	}
	return p.checkSwitch(ctx, appURL, app, on)
}

func (p *Person) toggle(ctx context.Context, at *page.Page, region, sw page.Element, on bool) error {
	form, err := at.FormOf(sw)
	if err != nil {
		return err
	}
	button := sw
	if sw.Attr("type") == "checkbox" {
		form.Check(sw, on)
		if button, err = form.SubmitButton(); err != nil {
			return err
		}
	}
	return p.submit(ctx, form, button)
}

func (p *Person) checkSwitch(ctx context.Context, appURL, app string, on bool) error {
	at, err := p.Connections(ctx, appURL)
	if err != nil {
		return err
	}
	region, err := at.One("region", app)
	if err != nil {
		return err
	}
	sw, err := region.One("switch", ShareMyCV)
	if err != nil {
		return err
	}
	if sw.Checked() != on {
		return fmt.Errorf("%s: the switch is still %v", app, sw.Checked())
	}
	return nil
}

// ChooseCV selects the CV to share with an app, by title.
func (p *Person) ChooseCV(ctx context.Context, appURL, app, title string) error {
	at, err := p.Connections(ctx, appURL)
	if err != nil {
		return err
	}
	region, err := at.One("region", app)
	if err != nil {
		return err
	}
	field, err := region.One("combobox", SharedCV)
	if err != nil {
		return err
	}
	form, err := at.FormOf(field)
	if err != nil {
		return err
	}
	if err := form.Select(field, title); err != nil {
		return err
	}
	button, err := form.SubmitButton()
	if err != nil {
		return err
	}
	return p.submit(ctx, form, button)
}
