package projection

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// SharedCv is a CV as a consent permits it (behaviour: sharing#shared-cv). In fields that can
// be null, empty text means null.
type SharedCv struct {
	ID               string
	Title            string
	UpdatedAt        time.Time
	IsMainCv         bool
	Language         string
	Document         Document
	PersonalDetails  *profile.Details
	PublicProfileURL string
	// Pdf is nil on the public page, which has no PDF.
	Pdf *Pdf
	// Template is the layout of the PDF. It is not part of the shared data.
	Template profile.Template
}

// Pdf is the durable PDF link of a shared CV.
type Pdf struct {
	URL         string
	ContentType string
}

// pdfType is the media type of every PDF (RFC 8118).
const pdfType = "application/pdf"

// Document is the body of a CV (behaviour: sharing#shared-cv-document).
type Document struct {
	Username          string
	PublicCvURL       string
	Name              string
	Title             string
	AvatarURL         string
	ContactEmail      string
	IsUAEPassVerified bool
	OpenToWork        bool
	// Content has no About and no Interests. Its Skills are flat, and its entries in display order.
	cv.Content
}

// ShareCv returns the CV of s as the grant permits it; false if there is none, or if the grant
// lacks the scope.
func (p *Pages) ShareCv(s Source, g Grant) (SharedCv, bool) {
	out, ok := p.shared(see(s, g.permission()))
	if ok {
		out.Pdf = &Pdf{URL: g.PdfURL, ContentType: pdfType}
	}
	return out, ok
}

func (p *Pages) shared(s seen) (SharedCv, bool) {
	if s.cv == nil {
		return SharedCv{}, false
	}
	return SharedCv{
		ID:               s.cv.ID,
		Title:            s.cv.Title,
		UpdatedAt:        s.cv.UpdatedAt,
		IsMainCv:         s.cv.isMain(),
		Language:         s.language(),
		Document:         p.document(s),
		PersonalDetails:  s.details,
		PublicProfileURL: p.profileURL(s),
		Template:         s.cv.Template,
	}, true
}

func (p *Pages) document(s seen) Document {
	c := s.cv.Content
	c.Location, c.Skills = firstText(s.address, c.Location), c.FlatSkills()
	c.Experiences, c.Educations = experiences(c), c.EducationsByRecency()
	if s.phone != "" {
		c.Socials[phoneKey] = s.phone
	}
	return Document{
		Username: s.username, PublicCvURL: p.cvURL(s), Name: s.name, Title: s.headline, AvatarURL: s.photo, ContactEmail: s.email,
		IsUAEPassVerified: s.verified, OpenToWork: s.openToWork, Content: c,
	}
}

// experiences returns the positions, most recent first. Current positions have no end date,
// even if one is stored.
func experiences(c cv.Content) []cv.Experience {
	sorted := c.ExperiencesByRecency()
	for i := range sorted {
		if sorted[i].Current {
			sorted[i].EndDate = ""
		}
	}
	return sorted
}
