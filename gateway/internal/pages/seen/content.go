package seen

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	"vitae.internal/gateway/internal/pages/public"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// Row is a fact that an app reads: the message key of its name, and one line per value.
type Row struct {
	Label  string
	Values []string
	// Word is the message key of a word shown as the value, or "" if there is none.
	Word string
}

// Content is the content of an API response in words: facts without blank or repeated values, and
// the CV.
type Content struct {
	Rows []Row
	CV   *public.CV
}

func (c *Content) add(label string, values ...string) {
	values = slices.DeleteFunc(values, func(v string) bool { return strings.TrimSpace(v) == "" })
	if len(values) > 0 {
		c.addRow(Row{Label: label, Values: values})
	}
}

func (c *Content) addRow(r Row) {
	same := func(other Row) bool {
		return r.Label == other.Label && r.Word == other.Word && slices.Equal(r.Values, other.Values)
	}
	if !slices.ContainsFunc(c.Rows, same) {
		c.Rows = append(c.Rows, r)
	}
}

// AddIdentity adds the content of a GET /v1/me response.
func (c *Content) AddIdentity(raw []byte) error {
	var me struct {
		Data struct{ Name, Username, Headline, Locale, ProfileURL, AvatarURL, Email string }
	}
	err := json.Unmarshal(raw, &me)
	c.add("consent.reads.name", me.Data.Name)
	c.add("consent.reads.username", me.Data.Username)
	c.add("consent.reads.headline", me.Data.Headline)
	c.addLanguage(me.Data.Locale)
	c.add("consent.reads.page", me.Data.ProfileURL)
	c.add("consent.scope.email", me.Data.Email)
	c.AddPhoto(me.Data.AvatarURL)
	return err
}

// AddPhoto notes that the app sees the photo if the response contains the photo's URL. A preview
// has no URL, because the URL is created together with the connection.
func (c *Content) AddPhoto(address string) {
	if address != "" {
		c.addRow(Row{Label: "consent.reads.photo", Word: "consent.reads.shown"})
	}
}

// addLanguage adds a language by its name, or by its tag if the pages have no name for it.
func (c *Content) addLanguage(tag string) {
	if word, ok := map[string]string{"ar": "editor.option.ar", "en": "editor.option.en"}[tag]; ok {
		c.addRow(Row{Label: "consent.reads.language", Word: word})
		return
	}
	c.add("consent.reads.language", tag)
}

// AddCV adds the content of a GET /v1/me/cv response.
func (c *Content) AddCV(raw []byte) error {
	var body struct{ Data json.RawMessage }
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}
	var cv cvv1.SharedCv
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body.Data, &cv); err != nil {
		return err
	}
	d := cv.GetDocument()
	if cv.GetIsMainCv() {
		c.addRow(Row{Label: "consent.scope.cv", Word: "cv.main"})
	} else {
		c.add("consent.scope.cv", cv.GetTitle())
	}
	c.add("consent.reads.name", d.GetName())
	c.add("consent.reads.username", d.GetUsername())
	c.add("consent.reads.headline", d.GetTitle().GetValue())
	place := "consent.reads.location"
	if _, hasPhone := d.GetSocials()["phone"]; hasPhone || cv.GetPersonalDetails() != nil {
		place = "consent.reads.address" // contact details are shared (behaviour: sharing#location-of-a-cv)
	}
	c.add(place, d.GetLocation().GetValue())
	c.add("consent.scope.email", d.GetContactEmail().GetValue())
	c.add("consent.reads.phone", d.GetSocials()["phone"])
	delete(d.GetSocials(), "phone")
	details := cv.GetPersonalDetails()
	c.add("consent.reads.dateOfBirth", details.GetDateOfBirth().GetValue())
	c.add("consent.reads.gender", details.GetGender().GetValue())
	c.add("consent.reads.maritalStatus", details.GetMaritalStatus().GetValue())
	c.add("consent.reads.nationality", details.GetNationality().GetValue())
	c.add("consent.reads.residence", details.GetResidence().GetValue())
	c.add("consent.reads.visaResidency", details.GetVisaResidency().GetValue())
	c.add("consent.reads.nationalService", details.GetNationalService().GetValue())
	c.add("consent.reads.dependents", details.GetDependents().GetValue())
	if d.GetIsUaePassVerified() {
		c.addRow(Row{Label: "consent.reads.identity", Word: "public.verified"})
	}
	if d.GetOpenToWork() {
		c.addRow(Row{Label: "consent.reads.availability", Word: "public.open_to_work"})
	}
	c.add("consent.reads.page", cv.GetPublicProfileUrl().GetValue())
	c.AddPhoto(d.GetAvatarUrl().GetValue())
	shown := public.CVOf(&cv)
	shown.Nested = true
	c.CV = &shown
	return nil
}

// legacyEntry is an entry of any list in the legacy profile.
type legacyEntry struct {
	Title, Degree, Field, Name, Company, Institution, Issuer, Location, StartDate, EndDate, Description string

	GraduationYear, Year int
}

// lines returns two lines per entry: its facts and its description.
func lines(entries []legacyEntry) (all []string) {
	for _, e := range entries {
		parts := []string{e.Title, e.Degree, e.Field, e.Name, e.Company, e.Institution, e.Issuer, e.Location, e.StartDate, e.EndDate}
		for _, year := range []int{e.GraduationYear, e.Year} {
			if year != 0 {
				parts = append(parts, strconv.Itoa(year))
			}
		}
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		all = append(all, strings.Join(parts, " · "), e.Description)
	}
	return all
}

// AddLegacy adds the content of a profile response of the legacy interface.
func (c *Content) AddLegacy(raw []byte) error {
	var profile struct {
		Data struct {
			Name, Email, PhoneNumber, Location, Headline, ProfilePicture string
			Skills, Languages                                            []string
			Experience, Education, Certifications                        []legacyEntry
			SocialLinks                                                  map[string]string
		}
	}
	err := json.Unmarshal(raw, &profile)
	d := profile.Data
	c.add("consent.reads.name", d.Name)
	c.add("consent.reads.headline", d.Headline)
	c.add("consent.scope.email", d.Email)
	c.add("consent.reads.phone", d.PhoneNumber)
	c.add("consent.reads.location", d.Location)
	c.add("cv.experience", lines(d.Experience)...)
	c.add("cv.education", lines(d.Education)...)
	c.add("cv.skills", strings.Join(d.Skills, " · "))
	c.add("cv.languages", strings.Join(d.Languages, " · "))
	c.add("cv.certifications", lines(d.Certifications)...)
	c.add("public.links", slices.Sorted(maps.Values(d.SocialLinks))...)
	c.AddPhoto(d.ProfilePicture)
	return err
}
