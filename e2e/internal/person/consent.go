package person

import (
	"context"
	"fmt"
	"net/url"
	"slices"

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

// Consent fills in the consent page.
func (p *Person) Consent(ctx context.Context, visit Visit, c Choice) (Visit, error) {
	at := visit.Page
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
