package person

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"vitae.internal/e2e/internal/page"
)

// Labels are the accessible names of the pages in English.
const (
	Email, Password, SignInButton = "Email", "Password", "Sign in"
	CVToShare                     = "CV to share"
	IncludeContact                = "Include private contact details"
	SharePhoto                    = "Share my photo"
	WholeProfile                  = "Your whole profile and CV" // at the legacy interface
	Allow, Cancel                 = "Allow", "Cancel"
	ContinuePrefix, Review        = "Continue as ", "Review what is shared" // on the short page
	SharedCV, ShareMyCV           = "Shared CV", "Share my CV"
	DisconnectButton, YesButton   = "Disconnect", "Yes, disconnect"
)

// scopeOf are the scopes of the checkboxes of the consent page, by their names.
var scopeOf = map[string]string{
	"Profile": "profile", "Email address": "email", "CV": "cv:read", IncludeContact: "cv:contact",
}

// Choice is what a person decides on the consent page. The zero value grants every
// requested scope, shares the CV that the page proposes, and no photo.
type Choice struct {
	// Drop are the scopes to refuse.
	Drop []string
	// CV to share, by title.
	CV string
	// Photo shares the photo.
	Photo bool
	// Cancel presses Cancel instead of Allow.
	Cancel bool
	// Continue presses Continue on the short page for a returning person, who otherwise reviews
	// what is shared.
	Continue bool
}

// Authorize opens an authorization request, signs in if asked, and answers the consent
// page. It returns the address of the app to which the browser is sent back.
func (p *Person) Authorize(ctx context.Context, target string, c Choice) (*url.URL, error) {
	visit, err := p.Open(ctx, target)
	if err != nil {
		return nil, err
	}
	if visit.Page != nil && visit.Page.Has("button", SignInButton) {
		if visit, err = p.SignIn(ctx, visit.Page); err != nil {
			return nil, err
		}
	}
	if visit.Outside == nil {
		if visit, err = p.Consent(ctx, visit, c); err != nil {
			return nil, err
		}
	}
	if visit.Outside == nil {
		return nil, fmt.Errorf("the browser stays at %s, status %d: %s", visit.Page.URL, visit.Status, visit.Page.Text())
	}
	return visit.Outside, nil
}

// SignIn fills in the sign-in page.
func (p *Person) SignIn(ctx context.Context, at *page.Page) (Visit, error) {
	button, err := at.One("button", SignInButton)
	if err != nil {
		return Visit{}, err
	}
	form, err := at.FormOf(button)
	if err != nil {
		return Visit{}, err
	}
	for name, value := range map[string]string{Email: p.Email, Password: p.Password} {
		field, err := at.One("textbox", name)
		if err != nil {
			return Visit{}, err
		}
		form.Fill(field, value)
	}
	return p.Press(ctx, form, button)
}

// ContinueButton finds the button of the short consent page.
func ContinueButton(at *page.Page) (page.Element, bool) {
	for _, b := range at.All("button", "") {
		if strings.HasPrefix(b.Name(), ContinuePrefix) {
			return b, true
		}
	}
	return page.Element{}, false
}

// Consent answers the consent page, the short one or the whole.
func (p *Person) Consent(ctx context.Context, visit Visit, c Choice) (Visit, error) {
	at := visit.Page
	if button, short := ContinueButton(at); short || c.Continue {
		if !short {
			return Visit{}, fmt.Errorf("no button to continue, status %d: %s", visit.Status, at.Text())
		}
		return p.comeBack(ctx, at, button, c)
	}
	name := Allow
	if c.Cancel {
		name = Cancel
	}
	button, err := at.One("button", name)
	if err != nil {
		return Visit{}, fmt.Errorf("no consent page, status %d: %s: %w", visit.Status, at.Text(), err)
	}
	form, err := at.FormOf(button)
	if err != nil {
		return Visit{}, err
	}
	for _, box := range at.All("checkbox", "") {
		switch {
		case box.Disabled():
		case box.Name() == SharePhoto:
			form.Check(box, c.Photo)
		default:
			form.Check(box, !slices.Contains(c.Drop, scopeOf[box.Name()]))
		}
	}
	if c.CV != "" {
		radio, err := at.One("radio", c.CV)
		if err != nil {
			return Visit{}, err
		}
		form.Check(radio, true)
	}
	return p.Press(ctx, form, button)
}

// comeBack answers the short consent page.
func (p *Person) comeBack(ctx context.Context, at *page.Page, button page.Element, c Choice) (Visit, error) {
	if c.Cancel {
		var err error
		if button, err = at.One("button", Cancel); err != nil {
			return Visit{}, err
		}
	}
	if c.Cancel || c.Continue {
		form, err := at.FormOf(button)
		if err != nil {
			return Visit{}, err
		}
		return p.Press(ctx, form, button)
	}
	whole, err := p.Follow(ctx, at, Review)
	if err != nil {
		return Visit{}, err
	}
	if _, short := ContinueButton(whole.Page); short {
		return Visit{}, fmt.Errorf("%s leads to the short page again", Review)
	}
	return p.Consent(ctx, whole, c)
}

// Follow follows the link of a name.
func (p *Person) Follow(ctx context.Context, at *page.Page, name string) (Visit, error) {
	link, err := at.One("link", name)
	if err != nil {
		return Visit{}, err
	}
	to, err := at.URL.Parse(link.Attr("href"))
	if err != nil {
		return Visit{}, err
	}
	return p.Open(ctx, to.String())
}
