package projection

import (
	"errors"
	"net/url"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// ShareUser returns the person of s as the grant permits (behaviour: sharing#signed-in-user). Its
// connection has only the shared CV, and is nil without one. Email is absent without the scope, and
// if it is not verified (behaviour: sharing#unverified-email).
func (p *Pages) ShareUser(s Source, g Grant) *candidatev1.SignedInUser {
	visible := see(s, g.permission())
	user := p.user(visible)
	if c := visible.cv; c != nil {
		user.Connection = &candidatev1.ConnectionSummary{
			Cv: &candidatev1.CvReference{Id: c.ID, Title: c.Title, UpdatedAt: timestamp(c.UpdatedAt)},
		}
	}
	return user
}

func (p *Pages) user(s seen) *candidatev1.SignedInUser {
	return &candidatev1.SignedInUser{
		Id:         s.id,
		Name:       s.name,
		Username:   nullable(s.username),
		Headline:   nullable(s.headline),
		Locale:     nullable(s.locale),
		AvatarUrl:  nullable(s.photo),
		ProfileUrl: nullable(p.profileURL(s)),
		Email:      optional(s.email),
	}
}

// Public is the public page of a person.
type Public struct {
	// User has no connection.
	User *candidatev1.SignedInUser
	// Cv is the main CV; nil if it has no content.
	Cv *SharedCv
}

// Publish returns the public page of s; false if the person has none.
func (p *Pages) Publish(s Source) (Public, bool) {
	visible := see(s, everyone)
	if !visible.hasPage() {
		return Public{}, false
	}
	return p.page(visible), true
}

// Preview returns the public page of s for the person, even if it is not public, with any of
// their CVs.
func (p *Pages) Preview(s Source) Public { return p.page(see(s, everyone)) }

func (p *Pages) page(visible seen) Public {
	// Only apps that the person signed in to see the id.
	visible.id = ""
	page := Public{User: p.user(visible)}
	if shared, ok := p.shared(visible); ok {
		page.Cv = &shared
	}
	return page
}

// Pages builds the addresses of public pages (behaviour: sharing#public-page-addresses).
type Pages struct {
	base string
}

// NewPages returns Pages below appURL.
func NewPages(appURL string) (*Pages, error) {
	if u, err := url.Parse(appURL); err != nil || u.Scheme == "" || u.Host == "" {
		return nil, errors.New("projection: the address of the pages must be an absolute URL")
	}
	return &Pages{base: strings.TrimRight(appURL, "/")}, nil
}

// hasPage reports whether the person has a public page.
func (s seen) hasPage() bool { return s.public && s.username != "" }

func (p *Pages) profileURL(s seen) string {
	if !s.hasPage() {
		return ""
	}
	return p.base + "/p/" + url.PathEscape(s.username)
}

func (p *Pages) cvURL(s seen) string {
	if !s.hasPage() || !s.hasMainCv {
		return ""
	}
	return p.profileURL(s) + "/cv"
}
