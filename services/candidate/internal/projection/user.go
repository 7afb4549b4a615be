package projection

import (
	"errors"
	"net/url"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/message"
)

// ShareUser returns the person of s, restricted to what the grant permits
// (behaviour: sharing#signed-in-user). The connection contains only the shared CV, and is nil if no CV is
// shared. Email is absent if the scope is missing or the address is unverified
// (behaviour: sharing#unverified-email).
func (p *Pages) ShareUser(s Source, g Grant) *candidatev1.SignedInUser {
	visible := see(s, g.permission())
	user := p.user(visible)
	if c := visible.cv; c != nil {
		user.Connection = &candidatev1.ConnectionSummary{
			Cv: &candidatev1.CvReference{Id: c.ID, Title: c.Title, UpdatedAt: message.Time(c.UpdatedAt)},
		}
	}
	return user
}

func (p *Pages) user(s seen) *candidatev1.SignedInUser {
	return &candidatev1.SignedInUser{
		Id:         s.id,
		Name:       s.name,
		Username:   message.Text(s.username),
		Headline:   message.Text(s.headline),
		Locale:     message.Text(s.locale),
		AvatarUrl:  message.Text(s.photo),
		ProfileUrl: message.Text(p.profileURL(s)),
		Email:      message.Optional(s.email),
	}
}

// Public is a person's public page.
type Public struct {
	// User is the person, without a connection.
	User *candidatev1.SignedInUser
	// Cv is the main CV, or nil if it has no content.
	Cv *SharedCv
}

// Publish returns the public page of s. It returns false if the person has none.
func (p *Pages) Publish(s Source) (Public, bool) {
	visible := see(s, everyone)
	if !visible.hasPage() {
		return Public{}, false
	}
	return p.page(visible), true
}

// Preview returns the page that Publish would return, for viewing by the person themselves. The page need not
// be public, and can show any of the person's CVs.
func (p *Pages) Preview(s Source) Public { return p.page(see(s, everyone)) }

func (p *Pages) page(visible seen) Public {
	// Only apps to which the person has signed in may see the id.
	visible.id = ""
	page := Public{User: p.user(visible)}
	if shared, ok := p.shared(visible); ok {
		page.Cv = &shared
	}
	return page
}

// Pages builds the URLs of public pages (behaviour: sharing#public-page-addresses).
type Pages struct {
	base string
}

// NewPages returns Pages with URLs below appURL.
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
