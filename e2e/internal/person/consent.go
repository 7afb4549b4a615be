package person

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"vitae.internal/e2e/internal/page"
)

// Accessible names on the English pages.
const (
	Email, Password, SignInButton = "Email", "Password", "Sign in"
	CVToShare                     = "CV to share"
	IncludeContact                = "Include private contact details"
	SharePhoto                    = "Share my photo"
	WholeProfile                  = "Your whole profile and CV" // of the legacy interface
	Allow, Cancel                 = "Allow", "Cancel"
	ContinuePrefix, Review        = "Continue as ", "Review what is shared" // on the short consent page
	SharedCV, ShareMyCV           = "Shared CV", "Share my CV"
	DisconnectButton, YesButton   = "Disconnect", "Yes, disconnect"
)

// scopeOf maps the names of the consent page's checkboxes to scopes.
var scopeOf = map[string]string{
	"Profile": "profile", "Email address": "email", "CV": "cv:read", IncludeContact: "cv:contact",
}

// Choice is a person's decision on the consent page. The zero value grants every requested scope,
// shares the preselected CV, and does not share the photo.
type Choice struct {
	// Drop lists scopes that the person does not grant.
	Drop []string
	// CV is the title of the CV to share. The default is the preselected CV.
	CV string
	// Photo shares the photo.
	Photo bool
	// Cancel presses Cancel instead of Allow.
	Cancel bool
	// Continue presses Continue on the short page, which returning people see. Otherwise the person
	// follows the link to the full page.
	Continue bool
}

// Authorize opens an authorization request, signs in if necessary, and submits the consent page. It returns the
// app's URL to which the browser is redirected.
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
		return nil, fmt.Errorf("no redirect to the app from %s, status %d: %s", visit.Page.URL, visit.Status, visit.Page.Text())
	}
	return visit.Outside, nil
}

// SignIn submits the sign-in page.
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

// ContinueButton returns the Continue button of the short consent page, if the page has one.
func ContinueButton(at *page.Page) (page.Element, bool) {
	for _, b := range at.All("button", "") {
		if strings.HasPrefix(b.Name(), ContinuePrefix) {
			return b, true
		}
	}
	return page.Element{}, false
}

// Consent submits the short or the full consent page.
func (p *Person) Consent(ctx context.Context, visit Visit, c Choice) (Visit, error) {
	at := visit.Page
	if button, short := ContinueButton(at); short || c.Continue {
		if !short {
			return Visit{}, fmt.Errorf("no button to continue, status %d: %s", visit.Status, at.Text())
		}
		return p.consentShort(ctx, at, button, c)
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

// consentShort submits the short consent page, or opens the full page and submits that.
func (p *Person) consentShort(ctx context.Context, at *page.Page, button page.Element, c Choice) (Visit, error) {
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

// Follow opens the link with an accessible name.
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
