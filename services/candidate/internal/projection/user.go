package projection

import (
	"errors"
	"net/url"
	"strings"

	"vitae.internal/services/candidate/internal/profile"
)

// User is the signed-in person as a consent permits (behaviour: sharing#signed-in-user). Empty
// text means null, or an absent field.
type User struct {
	ID         string
	Name       string
	Username   string
	Headline   string
	Locale     string
	AvatarURL  string
	ProfileURL string
	// Email is absent without the scope, and if it is not verified
	// (behaviour: sharing#unverified-email).
	Email string
	// Cv is the shared CV; nil without cv:read or if there is none.
	Cv *profile.CvReference
}

// ShareUser returns the person of s as the grant permits.
func (p *Pages) ShareUser(s Source, g Grant) User { return p.user(see(s, g.permission())) }

func (p *Pages) user(s seen) User {
	user := User{
		ID:         s.id,
		Name:       s.name,
		Username:   s.username,
		Headline:   s.headline,
		Locale:     s.locale,
		AvatarURL:  s.photo,
		ProfileURL: p.profileURL(s),
		Email:      s.email,
	}
	if s.cv != nil {
		user.Cv = &profile.CvReference{ID: s.cv.ID, Title: s.cv.Title, UpdatedAt: s.cv.UpdatedAt}
	}
	return user
}

// Public is the public page of a person.
type Public struct {
	User User
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
