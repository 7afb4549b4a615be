package pages

import (
	"html/template"
	"maps"
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// publicView is the own part of the public profile and the public CV.
type publicView struct {
	Username string
	Name     string
	Headline string
	// Photo is the checked address of the photo, "" for none. As a string,
	// html/template would refuse an inline one.
	Photo template.URL
	// PhotoOrigin is what the page's policy must let through for it.
	PhotoOrigin string
	// Language of the content, not of the page.
	Language string
	// Doc is the main CV, Links its links, in a fixed order.
	Doc   *cvv1.CvDocument
	Links []link
	// HasCV says whether the CV page exists.
	HasCV bool
}

// link is one link of a person.
type link struct{ Platform, Address string }

// publicProfile shows what a person shows everyone.
func (p *Pages) publicProfile(w http.ResponseWriter, r *http.Request) error {
	v, err := p.public(r)
	if err != nil {
		return err
	}
	return p.showPublic(w, r, "profile", "public.title", v)
}

// publicCV shows the main CV of a person with a public profile.
func (p *Pages) publicCV(w http.ResponseWriter, r *http.Request) error {
	v, err := p.public(r)
	if err != nil {
		return err
	}
	if !v.HasCV {
		return errNotFound
	}
	return p.showPublic(w, r, "cv", "public.cv.title", v)
}

func (p *Pages) public(r *http.Request) (publicView, error) {
	username := r.PathValue("username")
	if !oauth.IsText(username) {
		return publicView{}, errNotFound
	}
	resp, err := p.cfg.Profiles.GetPublicProfile(r.Context(), &candidatev1.GetPublicProfileRequest{Username: username})
	switch {
	case err == nil:
		return viewPublic(username, resp), nil
	case errs.KindOf(err) == errs.NotFound, errs.KindOf(err) == errs.Invalid:
		return publicView{}, errNotFound
	default:
		return publicView{}, err
	}
}

func viewPublic(username string, resp *candidatev1.GetPublicProfileResponse) publicView {
	user, doc := resp.GetUser(), resp.GetCv().GetDocument()
	v := publicView{
		Username: username, Name: user.GetName(), Headline: user.GetHeadline().GetValue(),
		Language: resp.GetCv().GetLanguage(), Doc: doc, HasCV: resp.GetCv() != nil,
	}
	v.Photo, v.PhotoOrigin = photoOf(user.GetAvatarUrl().GetValue())
	for _, platform := range slices.Sorted(maps.Keys(doc.GetSocials())) {
		v.Links = append(v.Links, link{platform, doc.GetSocials()[platform]})
	}
	return v
}

// photoOf gives a photo that may be shown, and the source expression for it, both
// "" for any other. Every page's policy lets inline images through.
func photoOf(address string) (photo template.URL, origin string) {
	if isInlineImage(address) {
		return template.URL(address), ""
	}
	origin, ok := imageOrigin(address)
	if !ok {
		return "", ""
	}
	return template.URL(address), origin
}

func (p *Pages) showPublic(w http.ResponseWriter, r *http.Request, name, titleKey string, v publicView) error {
	title, err := p.language(r).Text(titleKey, "name", v.Name)
	if err != nil {
		return err
	}
	h := w.Header()
	// A person may hide the page at any time, and it is gone then.
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", policy{images: v.PhotoOrigin}.String())
	return p.render(w, r, http.StatusOK, name, view{Title: title, Data: v})
}

// ungrouped are the skills that stand in no group: the flat list holds those of
// the groups as well.
func ungrouped(doc *cvv1.CvDocument) []string {
	return slices.DeleteFunc(slices.Clone(doc.GetSkills()), func(skill string) bool {
		return slices.ContainsFunc(doc.GetSkillGroups(), func(g *cvv1.SkillGroup) bool {
			return slices.Contains(g.GetItems(), skill)
		})
	})
}
