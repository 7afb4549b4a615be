package pages

import (
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/gateway/internal/pages/cvform"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// publicPages are the public profile and the public CV of a person
// (behaviour: sharing#public-page-addresses).
type publicPages struct {
	site     *shell.Shell
	profiles candidatev1.ProfileServiceClient
	// appURL is Config.AppURL, pdf Shown.PublicPDF.
	appURL string
	pdf    func(http.ResponseWriter, *http.Request, *cvv1.SharedCv, cvrenderv1.CvTemplate, string) error
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
	// Own says that the person looks at what others would see.
	Own bool
	// Preview is what other sites show of the page.
	Preview socialPreview
}

// link is one link of a person.
type link struct{ Platform, Address string }

// platforms are names that are not written as their key with a capital.
var platforms = map[string]string{
	"linkedin": "LinkedIn", "github": "GitHub", "gitlab": "GitLab", "youtube": "YouTube", "tiktok": "TikTok", "whatsapp": "WhatsApp",
	"stackoverflow": "Stack Overflow", "orcid": "ORCID", "x": "X",
}

// platformName is what people call the platform of a link.
func platformName(key string) string {
	if name, ok := platforms[strings.ToLower(key)]; ok {
		return name
	}
	first, size := utf8.DecodeRuneInString(key)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + key[size:]
}

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

// cvPDF is the public CV as a PDF (behaviour: pages#public-pages).
func (p publicPages) cvPDF(w http.ResponseWriter, r *http.Request) error {
	resp, err := p.read(r)
	if err != nil {
		return err
	}
	if resp.GetCv() == nil {
		return web.NotFound()
	}
	// Whoever finds the page finds the PDF; a copy in a search engine would outlive both.
	w.Header().Set("X-Robots-Tag", "noindex")
	return p.pdf(w, r, resp.GetCv(), resp.GetTemplate(), "public "+r.PathValue("username"))
}

// photo is the photo of the public pages, for sites that show a preview of them: those cannot
// read one that is inline.
func (p publicPages) photo(w http.ResponseWriter, r *http.Request) error {
	resp, err := p.read(r)
	if err != nil {
		return err
	}
	raw, mediaType, ok := inlineBytes(resp.GetUser().GetAvatarUrl().GetValue())
	if !ok {
		return web.NotFound()
	}
	h := w.Header()
	h.Del("Vary")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(raw) // the client is gone if this fails
	return nil
}

// find is read for a page.
func (p publicPages) find(r *http.Request) (publicView, error) {
	resp, err := p.read(r)
	if err != nil {
		return publicView{}, err
	}
	return viewPublic(r.PathValue("username"), resp), nil
}

// read gives what the person whom the path names shows everyone, or web.NotFound.
func (p publicPages) read(r *http.Request) (*candidatev1.GetPublicProfileResponse, error) {
	username := r.PathValue("username")
	if !fault.IsStorable(username) {
		return nil, web.NotFound()
	}
	resp, err := p.profiles.GetPublicProfile(r.Context(), &candidatev1.GetPublicProfileRequest{Username: username})
	if kind := errs.KindOf(err); err != nil && (kind == errs.NotFound || kind == errs.Invalid) {
		return nil, web.NotFound()
	}
	return resp, err
}

func viewPublic(username string, resp *candidatev1.GetPublicProfileResponse) publicView {
	user, doc := resp.GetUser(), resp.GetCv().GetDocument()
	v := publicView{
		Username: username, Name: user.GetName(), Headline: user.GetHeadline().GetValue(),
		Language: resp.GetCv().GetLanguage(), Doc: doc, HasCV: resp.GetCv() != nil,
	}
	v.Photo, v.PhotoOrigin = photoOf(user.GetAvatarUrl().GetValue())
	for _, platform := range slices.Sorted(maps.Keys(doc.GetSocials())) {
		v.Links = append(v.Links, link{platformName(platform), doc.GetSocials()[platform]})
	}
	return v
}

func (p publicPages) show(w http.ResponseWriter, r *http.Request, name, titleKey string, v publicView) error {
	title, err := p.site.Language(r).Text(titleKey, "name", v.Name)
	if err != nil {
		return err
	}
	v.Preview = previewOf(p.appURL, r.URL.Path, title, v)
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

// keyword is how a keyword of a position is shown: as the message Key, or as Text if the pages have
// no words for it.
type keyword struct{ Key, Text string }

// kinds are for the template: the keywords of a position that are there.
func kinds(stored ...string) (all []keyword) {
	for _, one := range stored {
		switch {
		case one == "":
		case cvform.IsOption(one):
			all = append(all, keyword{Key: "editor.option." + one})
		default:
			all = append(all, keyword{Text: strings.ReplaceAll(one, "_", " ")})
		}
	}
	return all
}

// furtherBio are the paragraphs of the bio that the summary does not have already, as in the PDF.
func furtherBio(doc *cvv1.CvDocument) string {
	var out []string
	for line := range strings.SplitSeq(doc.GetBio().GetValue(), "\n") {
		if line = strings.TrimSpace(line); line != "" && !slices.ContainsFunc(strings.Split(doc.GetSummary().GetValue(), "\n"), func(before string) bool { return strings.Contains(before, line) }) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
