// Package public serves the public profiles and CVs of people who publish them.
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

// Files contains the templates.
//
//go:embed templates
var Files embed.FS

// Functions are the functions that the templates call.
var Functions = template.FuncMap{"weblink": shell.Weblink, "ungrouped": ungrouped, "kinds": kinds, "furtherBio": furtherBio}

// PDF writes the PDF of a public CV. share identifies the client to whose share of the renderer's
// queue the request belongs. PDF returns the renderer's errors.
type PDF = func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error

// pages serves a person's public profile and public CV (behaviour: sharing#public-page-addresses).
type pages struct {
	*shell.Shell
	profiles candidatev1.ProfileServiceClient
	// appURL is the URL of the pages, without a trailing slash.
	appURL string
	pdf    PDF
}

// Routes returns the routes of the public pages.
func Routes(sh *shell.Shell, candidate grpc.ClientConnInterface, appURL string, pdf PDF) []shell.Route {
	p := pages{sh, candidatev1.NewProfileServiceClient(candidate), appURL, pdf}
	return shell.To("", []web.Route{
		{Path: "/p/{username}", Get: sh.Limited(p.profile)},
		{Path: "/p/{username}/cv", Get: sh.Limited(p.cv)},
		{Path: "/p/{username}/cv.pdf", Get: sh.Limited(p.cvPDF)},
		{Path: "/p/{username}/photo", Get: sh.Limited(p.photo)},
	})
}

// View holds the data for the pages with the public profile and the public CV.
type View struct {
	Username string
	Name     string
	Headline string
	// Photo is the URL of the photo, or "" if there is none. It has been validated. It is a
	// template.URL because html/template would reject an inline photo in a string.
	Photo template.URL
	// PhotoOrigin is the source expression that the page's Content-Security-Policy needs for the
	// photo.
	PhotoOrigin string
	CV
	// HasCV reports whether the CV page exists.
	HasCV bool
	// Own reports whether the page is a preview that is shown to the person themselves.
	Own bool
	// Preview is what other sites show when they link to the page.
	Preview socialPreview
}

// CV holds the data for the template cv-sections.
type CV struct {
	// Language is the language of the content, which may differ from the page's.
	Language string
	Doc      *cvv1.CvDocument
	// Links are the document's links, sorted by platform.
	Links []link
	// Nested reports whether the CV is part of a page about something else. In that case, its
	// sections are not landmarks.
	Nested bool
}

// CVOf returns the parts of a CV that the pages show.
func CVOf(cv *cvv1.SharedCv) CV {
	out := CV{Language: cv.GetLanguage(), Doc: cv.GetDocument()}
	for _, platform := range slices.Sorted(maps.Keys(out.Doc.GetSocials())) {
		out.Links = append(out.Links, link{platformName(platform), out.Doc.GetSocials()[platform]})
	}
	return out
}

// link is one of a person's links.
type link struct{ Platform, Address string }

// platforms lists the platform names that are not simply the capitalized key.
var platforms = map[string]string{
	"linkedin": "LinkedIn", "github": "GitHub", "gitlab": "GitLab", "youtube": "YouTube", "tiktok": "TikTok", "whatsapp": "WhatsApp",
	"stackoverflow": "Stack Overflow", "orcid": "ORCID", "x": "X",
}

// platformName returns the usual name of a link's platform.
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

// profile serves a person's public profile.
func (p pages) profile(w http.ResponseWriter, r *http.Request) error {
	v, err := p.find(r)
	if err != nil {
		return err
	}
	return p.show(w, r, "profile", "public.title", v)
}

// cv serves the public CV, which is the main CV of a person who has a public profile.
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

// cvPDF serves the public CV as a PDF (behaviour: pages#public-pages).
func (p pages) cvPDF(w http.ResponseWriter, r *http.Request) error {
	resp, err := p.read(r)
	if err != nil {
		return err
	}
	if resp.GetCv() == nil {
		return web.NotFound()
	}
	// Search engines index the page instead. A PDF in their cache would outlive the page.
	w.Header().Set("X-Robots-Tag", "noindex")
	return p.pdf(w, r, resp.GetCv(), resp.GetTemplate(), "public "+r.PathValue("username"))
}

// photo serves the photo of the public pages to sites that show a preview of them. Such sites
// cannot read an inline photo.
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
	_, _ = w.Write(raw) // an error means that the client has disconnected
	return nil
}

// find returns the data for a page.
func (p pages) find(r *http.Request) (View, error) {
	resp, err := p.read(r)
	if err != nil {
		return View{}, err
	}
	return ViewOf(r.PathValue("username"), resp), nil
}

// read returns the public data of the person in the path. It returns web.NotFound if there is none.
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

// ViewOf converts a public profile to the data that the pages show.
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
	// A person may hide the page at any time, and it must then disappear immediately.
	h.Set("Cache-Control", "no-cache")
	h.Set(web.PolicyHeader, web.Policy{Images: v.PhotoOrigin}.String())
	return p.Render(w, r, http.StatusOK, name, web.View{Title: title, Data: v})
}

// ungrouped returns the skills that are in no group. It is needed because the flat list of skills
// also contains the grouped ones.
func ungrouped(doc *cvv1.CvDocument) []string {
	return slices.DeleteFunc(slices.Clone(doc.GetSkills()), func(skill string) bool {
		return slices.ContainsFunc(doc.GetSkillGroups(), func(g *cvv1.SkillGroup) bool {
			return slices.Contains(g.GetItems(), skill)
		})
	})
}

// keyword is a keyword that describes a position. The pages show the message Key, or Text if they
// have no message for the keyword.
type keyword struct{ Key, Text string }

// kinds returns those keywords of a position that are set, for the templates.
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

// furtherBio returns the paragraphs of the bio that the summary does not contain. The PDF shows the
// same paragraphs.
func furtherBio(doc *cvv1.CvDocument) string {
	var out []string
	for line := range strings.SplitSeq(doc.GetBio().GetValue(), "\n") {
		if line = strings.TrimSpace(line); line != "" && !slices.ContainsFunc(strings.Split(doc.GetSummary().GetValue(), "\n"), func(before string) bool { return strings.Contains(before, line) }) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
