package pages

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// readRow is something that an app would read: the key of its name, and a line for each value.
type readRow struct {
	Label  string
	Values []string
	// Word is the key of a text that stands for the value, "" for none.
	Word string
}

// preview shows the form as it was sent, and what the app would read with it. Nothing is
// granted (behaviour: sign-in#consent-data-preview).
func (p consentPages) preview(w http.ResponseWriter, r *http.Request, who shell.Person, c *consent) error {
	cvs, err := p.shareable(r, who)
	if err != nil {
		return err
	}
	chosen := c.selected(r)
	if field, message := c.check(chosen, cvs.GetCvs()); message != "" {
		return p.askAgain(w, r, who, c, cvs, chosen, field, message)
	}
	if c.reads, err = p.wouldRead(r, who, c, chosen, cvs); err != nil {
		return err
	}
	if err := p.findLeft(r, who, c); err != nil {
		return err
	}
	return p.draw(w, r, who, c, cvs, chosen, nil)
}

// wouldRead asks the handlers that answer apps, for the principal that a token of this
// selection would have. It has no connection, so no address of a photo or PDF comes to be.
func (p consentPages) wouldRead(r *http.Request, who shell.Person, c *consent, chosen selection, cvs *candidatev1.ListOwnCvsResponse) ([]readRow, error) {
	granted := c.granted(chosen)
	asked := &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AppId: c.app.GetId(), PersonId: who.GetId(),
		Scopes: granted, GrantedScopes: granted, CvId: chosen.cvToShare(), SharePhoto: chosen.Photo,
		ConnectedAt: timestamppb.New(p.clock.Now()),
	}
	if c.request.Legacy() {
		asked.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
	}
	as, err := http.NewRequestWithContext(principal.NewContext(r.Context(), asked), http.MethodGet, "/", http.NoBody)
	if err != nil {
		return nil, err
	}
	var rows readRows
	if c.request.Legacy() {
		err = rows.ask(as, "/api/oauth/profile", p.shown.Legacy, rows.addLegacy)
	} else {
		err = rows.ask(as, "/v1/me", p.shown.Me, rows.addIdentity)
		if err == nil && chosen.CV {
			err = rows.ask(as, "/v1/me/cv", p.shown.CV, rows.addCV)
		}
	}
	if chosen.Photo && cvs.GetHasPhoto() {
		rows.addPhoto("the one that it gets")
	}
	return rows, err
}

// readRows collects rows without empty values.
type readRows []readRow

func (rows *readRows) add(label string, values ...string) {
	values = slices.DeleteFunc(values, func(v string) bool { return strings.TrimSpace(v) == "" })
	if len(values) > 0 {
		*rows = append(*rows, readRow{Label: label, Values: values})
	}
}

// ask has a handler answer. What is refused is not read. A failure of ours is an error.
func (rows *readRows) ask(as *http.Request, path string, h http.Handler, add func([]byte) error) error {
	as = as.Clone(as.Context())
	as.URL.Path = path
	got := &heldAnswer{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(got, as)
	switch {
	case got.status >= http.StatusInternalServerError:
		return errs.New(errs.Unavailable, answer.CodeUnavailable, "What the app would read cannot be shown now.")
	case got.status != http.StatusOK:
		return nil
	}
	return add(got.body.Bytes())
}

// readItem is an entry of any list of a CV.
type readItem struct{ Title, Company, School, Institution, Name, Issuer string }

func (i readItem) line() string {
	parts := slices.DeleteFunc([]string{i.Title, i.Name, i.School, i.Institution, i.Company, i.Issuer}, func(s string) bool { return s == "" })
	return strings.Join(parts, " · ")
}

func lines(items []readItem) (all []string) {
	for _, i := range items {
		all = append(all, i.line())
	}
	return all
}

func (rows *readRows) addIdentity(raw []byte) error {
	var me struct {
		Data struct{ Name, Username, Headline, Locale, ProfileURL, AvatarURL, Email string }
	}
	err := json.Unmarshal(raw, &me)
	rows.add("consent.reads.name", me.Data.Name)
	rows.add("consent.reads.username", me.Data.Username)
	rows.add("consent.reads.headline", me.Data.Headline)
	rows.addLanguage(me.Data.Locale)
	rows.add("consent.reads.page", me.Data.ProfileURL)
	rows.add("consent.scope.email", me.Data.Email)
	rows.addPhoto(me.Data.AvatarURL)
	return err
}

// addPhoto adds that the photo is shown, where an answer has its address. A look before the consent has
// none: the address comes to be with a connection.
func (rows *readRows) addPhoto(address string) {
	if address != "" {
		*rows = append(*rows, readRow{Label: "consent.reads.photo", Word: "consent.reads.shown"})
	}
}

// addLanguage adds a language by its name, if the pages have one for its tag.
func (rows *readRows) addLanguage(tag string) {
	if word, ok := map[string]string{"ar": "editor.option.ar", "en": "editor.option.en"}[tag]; ok {
		*rows = append(*rows, readRow{Label: "consent.reads.language", Word: word})
		return
	}
	rows.add("consent.reads.language", tag)
}

// personalDetails are the details in the order in which they are shown.
var personalDetails = []string{
	"dateOfBirth", "gender", "maritalStatus", "nationality", "residence", "visaResidency", "nationalService", "dependents",
}

func (rows *readRows) addCV(raw []byte) error {
	var cv struct {
		Data struct {
			Title    string
			IsMainCv bool
			Document struct {
				Title, Summary, Bio, Location, ContactEmail       string
				Socials                                           map[string]string
				Skills, Languages                                 []string
				Highlights                                        []readItem
				Experiences, Educations, Certifications, Projects []readItem
			}
			PersonalDetails map[string]*string
		}
	}
	err := json.Unmarshal(raw, &cv)
	d := cv.Data.Document
	if cv.Data.IsMainCv {
		*rows = append(*rows, readRow{Label: "consent.scope.cv", Word: "cv.main"})
	} else {
		rows.add("consent.scope.cv", cv.Data.Title)
	}
	rows.add("cv.summary", d.Summary, d.Bio)
	rows.add("consent.reads.location", d.Location)
	rows.add("consent.reads.phone", d.Socials["phone"])
	for _, name := range personalDetails {
		if value := cv.Data.PersonalDetails[name]; value != nil {
			rows.add("consent.reads."+name, *value)
		}
	}
	rows.add("cv.highlights", lines(d.Highlights)...)
	rows.add("cv.experience", lines(d.Experiences)...)
	rows.add("cv.education", lines(d.Educations)...)
	rows.add("cv.skills", strings.Join(d.Skills, " · "))
	rows.add("cv.languages", strings.Join(d.Languages, " · "))
	rows.add("cv.certifications", lines(d.Certifications)...)
	rows.add("cv.projects", lines(d.Projects)...)
	delete(d.Socials, "phone")
	rows.add("public.links", slices.Sorted(maps.Values(d.Socials))...)
	return err
}

func (rows *readRows) addLegacy(raw []byte) error {
	var profile struct {
		Data struct {
			Name, Email, PhoneNumber, Location, Headline, ProfilePicture string
			Skills, Languages                                            []string
			Experience, Education, Certifications                        []readItem
			SocialLinks                                                  map[string]string
		}
	}
	err := json.Unmarshal(raw, &profile)
	d := profile.Data
	rows.add("consent.reads.name", d.Name)
	rows.add("consent.reads.headline", d.Headline)
	rows.add("consent.scope.email", d.Email)
	rows.add("consent.reads.phone", d.PhoneNumber)
	rows.add("consent.reads.location", d.Location)
	rows.add("cv.experience", lines(d.Experience)...)
	rows.add("cv.education", lines(d.Education)...)
	rows.add("cv.skills", strings.Join(d.Skills, " · "))
	rows.add("cv.languages", strings.Join(d.Languages, " · "))
	rows.add("cv.certifications", lines(d.Certifications)...)
	rows.add("public.links", slices.Sorted(maps.Values(d.SocialLinks))...)
	rows.addPhoto(d.ProfilePicture)
	return err
}
