package seen

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Row is something that an app reads: the key of its name, and a line for each value.
type Row struct {
	Label  string
	Values []string
	// Word is the key of a text that stands for the value, "" for none.
	Word string
}

// Rows are rows without empty values.
type Rows []Row

func (rows *Rows) add(label string, values ...string) {
	values = slices.DeleteFunc(values, func(v string) bool { return strings.TrimSpace(v) == "" })
	if len(values) > 0 {
		*rows = append(*rows, Row{Label: label, Values: values})
	}
}

// item is an entry of any list of a CV.
type item struct{ Title, Company, School, Institution, Name, Issuer string }

func (i item) line() string {
	parts := slices.DeleteFunc([]string{i.Title, i.Name, i.School, i.Institution, i.Company, i.Issuer}, func(s string) bool { return s == "" })
	return strings.Join(parts, " · ")
}

func lines(items []item) (all []string) {
	for _, i := range items {
		all = append(all, i.line())
	}
	return all
}

// AddIdentity adds the answer of GET /v1/me.
func (rows *Rows) AddIdentity(raw []byte) error {
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
	rows.AddPhoto(me.Data.AvatarURL)
	return err
}

// AddPhoto adds that the photo is shown, where an answer has its address. A look before the consent has
// none: the address comes to be with a connection.
func (rows *Rows) AddPhoto(address string) {
	if address != "" {
		*rows = append(*rows, Row{Label: "consent.reads.photo", Word: "consent.reads.shown"})
	}
}

// addLanguage adds a language by its name, if the pages have one for its tag.
func (rows *Rows) addLanguage(tag string) {
	if word, ok := map[string]string{"ar": "editor.option.ar", "en": "editor.option.en"}[tag]; ok {
		*rows = append(*rows, Row{Label: "consent.reads.language", Word: word})
		return
	}
	rows.add("consent.reads.language", tag)
}

// personalDetails are the details in the order in which they are shown.
var personalDetails = []string{
	"dateOfBirth", "gender", "maritalStatus", "nationality", "residence", "visaResidency", "nationalService", "dependents",
}

// AddCV adds the answer of GET /v1/me/cv.
func (rows *Rows) AddCV(raw []byte) error {
	var cv struct {
		Data struct {
			Title    string
			IsMainCv bool
			Document struct {
				Title, Summary, Bio, Location, ContactEmail       string
				Socials                                           map[string]string
				Skills, Languages                                 []string
				Highlights                                        []item
				Experiences, Educations, Certifications, Projects []item
			}
			PersonalDetails map[string]*string
		}
	}
	err := json.Unmarshal(raw, &cv)
	d := cv.Data.Document
	if cv.Data.IsMainCv {
		*rows = append(*rows, Row{Label: "consent.scope.cv", Word: "cv.main"})
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

// AddLegacy adds the profile of the legacy interface.
func (rows *Rows) AddLegacy(raw []byte) error {
	var profile struct {
		Data struct {
			Name, Email, PhoneNumber, Location, Headline, ProfilePicture string
			Skills, Languages                                            []string
			Experience, Education, Certifications                        []item
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
	rows.AddPhoto(d.ProfilePicture)
	return err
}
