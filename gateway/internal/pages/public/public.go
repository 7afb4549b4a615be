// Package public serves the public profile and CV of people who publish them.
package public

import (
	"embed"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/profile/form"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// Files has the templates.
//
//go:embed templates
var Files embed.FS

// Functions are for the templates.
var Functions = template.FuncMap{"weblink": shell.Weblink, "ungrouped": ungrouped, "kinds": kinds, "furtherBio": furtherBio}

// PDF answers with the PDF of a CV that everybody may see. share separates it from those of others in
// the renderer's queue. Errors: those of the renderer.
type PDF = func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error

// pages are the public profile and the public CV of a person
// (behaviour: sharing#public-page-addresses).
type pages struct {
	*shell.Shell
	profiles candidatev1.ProfileServiceClient
	// appURL is the address of the pages, without a trailing slash.
	appURL string
	pdf    PDF
}

// Routes returns the public pages.
func Routes(sh *shell.Shell, candidate grpc.ClientConnInterface, appURL string, pdf PDF) []shell.Route {
	p := pages{sh, candidatev1.NewProfileServiceClient(candidate), appURL, pdf}
	return shell.To("", []web.Route{
		{Path: "/p/{username}", Get: sh.Limited(p.profile)},
		{Path: "/p/{username}/cv", Get: sh.Limited(p.cv)},
		{Path: "/p/{username}/cv.pdf", Get: sh.Limited(p.cvPDF)},
		{Path: "/p/{username}/photo", Get: sh.Limited(p.photo)},
	})
}

// View is what the public profile and the public CV show.
type View struct {
	Username string
	Name     string
	Headline string
	// Photo is the checked address of the photo, "" for none. As a string,
	// html/template would refuse an inline one.
	Photo template.URL
	// PhotoOrigin is what the page's policy must let through for it.
	PhotoOrigin string
	CV
	// HasCV reports whether the CV page exists.
	HasCV bool
	// Own means that the person sees a preview of the page.
	Own bool
	// Preview is what other sites show of the page.
	Preview socialPreview
}

// CV is what the template cv-sections shows of a CV.
type CV struct {
	// Language of the content, not of the page.
	Language string
	Doc      *cvv1.CvDocument
	// Links of the document, by platform.
	Links []link
	// Nested is set on a page about something else, where the sections are no landmarks.
	Nested bool
}

// CVOf returns what the pages show of a CV.
func CVOf(cv *cvv1.SharedCv) CV {
	out := CV{Language: cv.GetLanguage(), Doc: cv.GetDocument()}
	for _, platform := range slices.Sorted(maps.Keys(out.Doc.GetSocials())) {
		out.Links = append(out.Links, link{platformName(platform), out.Doc.GetSocials()[platform]})
	}
	return out
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
func (p pages) profile(w http.ResponseWriter, r *http.Request) error {
	v, err := p.find(r)
	if err != nil {
		return err
	}
	return p.show(w, r, "profile", "public.title", v)
}

// cv shows the main CV of a person with a public profile.
func (p pages) cv(w http.ResponseWriter, r *http.Request) error {
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
func (p pages) cvPDF(w http.ResponseWriter, r *http.Request) error {
	resp, err := p.read(r)
	if err != nil {
		return err
	}
	if resp.GetCv() == nil {
		return web.NotFound()
	}
	// The page leads to the PDF; a copy in a search engine would outlive both.
	w.Header().Set("X-Robots-Tag", "noindex")
	return p.pdf(w, r, resp.GetCv(), resp.GetTemplate(), "public "+r.PathValue("username"))
}

// photo is the photo of the public pages, for sites that show a preview of them: those cannot
// read one that is inline.
func (p pages) photo(w http.ResponseWriter, r *http.Request) error {
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
func (p pages) find(r *http.Request) (View, error) {
	resp, err := p.read(r)
	if err != nil {
		return View{}, err
	}
	return ViewOf(r.PathValue("username"), resp), nil
}

// read returns what the person of the path shows everyone, or web.NotFound.
func (p pages) read(r *http.Request) (*candidatev1.GetPublicProfileResponse, error) {
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

// ViewOf returns what the pages of a person show.
func ViewOf(username string, resp *candidatev1.GetPublicProfileResponse) View {
	user := resp.GetUser()
	v := View{
		Username: username, Name: user.GetName(), Headline: user.GetHeadline().GetValue(),
		CV: CVOf(resp.GetCv()), HasCV: resp.GetCv() != nil,
	}
	v.Photo, v.PhotoOrigin = PhotoOf(user.GetAvatarUrl().GetValue())
	return v
}

func (p pages) show(w http.ResponseWriter, r *http.Request, name, titleKey string, v View) error {
	title, err := p.Language(r).Text(titleKey, "name", v.Name)
	if err != nil {
		return err
	}
	v.Preview = previewOf(p.appURL, r.URL.Path, title, v)
	h := w.Header()
	// A person may hide the page at any time, and it is gone then.
	h.Set("Cache-Control", "no-cache")
	h.Set(web.PolicyHeader, web.Policy{Images: v.PhotoOrigin}.String())
	return p.Render(w, r, http.StatusOK, name, web.View{Title: title, Data: v})
}

// ungrouped are the skills that are in no group. The flat list of skills contains those of the
// groups too.
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
		case form.IsOption(one):
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
