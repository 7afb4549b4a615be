package pages

import (
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// publicPages are the public profile and the public CV of a person
// (behaviour: sharing#public-page-addresses).
type publicPages struct {
	site     *web.Site
	profiles Profiles
}

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
	// Preview says that the person looks at what others would see.
	Preview bool
}

// link is one link of a person.
type link struct{ Platform, Address string }

// profile shows the public profile.
func (p publicPages) profile(w http.ResponseWriter, r *http.Request) error {
	v, err := p.find(r)
	if err != nil {
		return err
	}
	return p.show(w, r, "profile", "public.title", v)
}

// cv shows the main CV of a person with a public profile.
func (p publicPages) cv(w http.ResponseWriter, r *http.Request) error {
	v, err := p.find(r)
	if err != nil {
		return err
	}
	if !v.HasCV {
		return web.NotFound()
	}
	return p.show(w, r, "cv", "public.cv.title", v)
}

// find gives what the person whom the path names shows everyone, or web.NotFound.
func (p publicPages) find(r *http.Request) (publicView, error) {
	username := r.PathValue("username")
	if !fault.IsStorable(username) {
		return publicView{}, web.NotFound()
	}
	resp, err := p.profiles.GetPublicProfile(r.Context(), &candidatev1.GetPublicProfileRequest{Username: username})
	switch {
	case err == nil:
		return viewPublic(username, resp), nil
	case errs.KindOf(err) == errs.NotFound, errs.KindOf(err) == errs.Invalid:
		return publicView{}, web.NotFound()
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

func (p publicPages) show(w http.ResponseWriter, r *http.Request, name, titleKey string, v publicView) error {
	title, err := p.site.Language(r).Text(titleKey, "name", v.Name)
	if err != nil {
		return err
	}
	h := w.Header()
	// A person may hide the page at any time, and it is gone then.
	h.Set("Cache-Control", "no-cache")
	h.Set(web.PolicyHeader, web.Policy{Images: v.PhotoOrigin}.String())
	return p.site.Render(w, r, http.StatusOK, name, web.View{Title: title, Data: v})
}

// ungrouped are the skills that stand in no group. The flat list of skills holds
// those of the groups too.
func ungrouped(doc *cvv1.CvDocument) []string {
	return slices.DeleteFunc(slices.Clone(doc.GetSkills()), func(skill string) bool {
		return slices.ContainsFunc(doc.GetSkillGroups(), func(g *cvv1.SkillGroup) bool {
			return slices.Contains(g.GetItems(), skill)
		})
	})
}

// weblink is the address if a page may link to it, "" if it is only text.
func weblink(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return ""
	}
	return address
}
