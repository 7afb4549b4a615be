package projection

import (
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/message"
	"vitae.internal/services/candidate/internal/profile"
)

// SharedCv is a CV restricted to what a consent permits (behaviour: sharing#shared-cv).
type SharedCv struct {
	// SharedCv has no Pdf if it is for the public page.
	*cvv1.SharedCv
	// Template is the layout of the PDF. It is not part of the shared data.
	Template profile.Template
}

// pdfType is the media type of every PDF (RFC 8118).
const pdfType = "application/pdf"

// ShareCv returns the CV of s, restricted to what the grant permits. It returns false if there is no CV,
// or if the grant lacks the scope.
func (p *Pages) ShareCv(s Source, g Grant) (SharedCv, bool) {
	out, ok := p.shared(see(s, g.permission()))
	if ok {
		out.Pdf = &cvv1.CvPdf{Url: g.PdfURL, ContentType: pdfType}
	}
	return out, ok
}

func (p *Pages) shared(s seen) (SharedCv, bool) {
	if s.cv == nil {
		return SharedCv{}, false
	}
	out := &cvv1.SharedCv{
		Id:               s.cv.ID,
		Title:            s.cv.Title,
		UpdatedAt:        message.Time(s.cv.UpdatedAt),
		IsMainCv:         s.cv.ID == profile.MainCvID,
		Language:         s.language(), // ignores the address, because not every permission shows it
		Document:         s.document,
		PersonalDetails:  s.details,
		PublicProfileUrl: message.Text(p.profileURL(s)),
	}
	d := out.Document
	d.Username, d.PublicCvUrl, d.Name, d.Title = s.username, message.Text(p.cvURL(s)), s.name, message.Text(s.headline)
	d.AvatarUrl, d.ContactEmail = message.Text(s.photo), message.Text(s.email)
	d.IsUaePassVerified, d.OpenToWork = s.verified, s.openToWork
	if s.address != "" {
		d.Location = message.Text(s.address)
	}
	if s.phone != "" {
		d.Socials[phoneKey] = s.phone
	}
	return SharedCv{SharedCv: out, Template: s.cv.Template}, true
}
