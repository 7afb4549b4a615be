package projection

import (
	"net/url"
	"strings"

	"vitae.internal/services/candidate/internal/profile"
)

// User is the signed-in person as one consent shows it (spec: Signed-in user).
// In a field that can be null or absent, empty text stands for that.
type User struct {
	ID         string
	Name       string
	Username   string
	Headline   string
	Locale     string
	AvatarURL  string
	ProfileURL string
	// Email is absent without the scope, and when it is not verified.
	Email string
	// Cv is the CV that is shared; nil without cv:read or when there is none.
	Cv *profile.CvReference
}

// ShareUser gives the person of s as g shows them.
func (p Pages) ShareUser(s Source, g Grant) User { return p.user(see(s, g.permission())) }

func (p Pages) user(s seen) User {
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
	// Cv is the main CV; nil when it has no content.
	Cv *SharedCv
}

// Publish gives the public page of s; false when the person has none.
func (p Pages) Publish(s Source) (Public, bool) {
	visible := see(s, everyone)
	if !visible.hasPage() {
		return Public{}, false
	}
	// The id is for apps that the person signed in to, not for everyone.
	visible.id = ""
	page := Public{User: p.user(visible)}
	if shared, ok := p.shared(visible); ok {
		page.Cv = &shared
	}
	return page, true
}

// Pages is where the public pages are.
type Pages struct {
	base string
}

// NewPages takes the address of the pages, {app_url}.
func NewPages(appURL string) Pages { return Pages{base: strings.TrimRight(appURL, "/")} }

// hasPage says whether the person's public page would resolve.
func (s seen) hasPage() bool { return s.public && s.username != "" }

func (p Pages) profileURL(s seen) string {
	if !s.hasPage() {
		return ""
	}
	return p.base + "/p/" + url.PathEscape(s.username)
}

func (p Pages) cvURL(s seen) string {
	if !s.hasPage() || !s.hasMainCv {
		return ""
	}
	return p.profileURL(s) + "/cv"
}
