package profile

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"vitae.internal/gateway/internal/pages/profile/form"
	cvimport "vitae.internal/gateway/internal/pages/profile/import"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web/i18n"
	"vitae.internal/pkg/country"
)

// leftText is a string that could not be imported. Its place in the file is described in the words of the
// form.
type leftText struct {
	// Section is the message key for a section of the CV, or "" for any other part of the file. Number is the
	// entry's number in the section, counting from 1, or 0 if there is none.
	Section string
	Number  int
	// Field is the message key that describes the string. If it is "", Words contains the names that the file
	// uses.
	Field, Words string
	Text         string
	// Reason is the message key for the reason why the string was not imported, or "" if no field can hold
	// it.
	Reason string
}

// sectionWords maps the names that files use for sections of a CV to message keys.
var sectionWords = byName(map[string]string{
	"editor.group.person":         "basics, Profile, Email Addresses, PhoneNumbers, CandidatePerson, Identification, Headline",
	"editor.group.experiences":    "work, Positions, volunteer, Volunteering, EmployerHistory, VoluntaryWork, WorkExperience",
	"editor.group.educations":     "education, Education, EducationOrganizationAttendance, Test Scores, TestScores",
	"editor.group.certifications": "certificates, Certification, Certifications, License",
	"editor.group.skills":         "skills, Skills, PersonCompetency, Computer",
	"editor.group.languages":      "languages, Languages, Linguistic, MotherTongue, ForeignLanguage",
	"editor.group.projects":       "projects, Project, Projects, publications, Publication, Publications",
	"editor.group.highlights": "awards, Achievement, Honors, Courses, Organizations, Patents, NetworkAndMembership, ConferenceAndSeminar, HonourAndAward, " +
		"SocialAndPoliticalActivity, CreativeWork, CourseCertification, Other",
	"editor.group.interests":   "interests, hobbies, HobbyOrInterest",
	"cvimport.word.references": "references, EmploymentReference",
})

// fieldWords maps the names that files use for fields to message keys.
var fieldWords = byName(map[string]string{
	"editor.field.name":                      "name, Name, GivenName, FamilyName, FirstName, First Name, Surname, Last Name, RefereeName",
	"editor.field.headline":                  "label, Headline",
	"editor.field.phone":                     "phone, PhoneNumbers, Telephone, FormattedNumber, DialNumber, CountryDialing",
	"editor.field.date_of_birth":             "birthdate, BirthDate, Birthdate, Birth Date",
	"editor.field.gender":                    "gender, Gender, GenderCode",
	"editor.field.nationality":               "nationality, Nationality, NationalityCode",
	"editor.field.residence":                 "ResidenceCountryCode",
	"editor.field.username":                  "username",
	"editor.field.summary":                   "QualificationsSummary",
	"editor.field.socials.platform":          "network",
	"editor.field.experiences.title":         "position, Position, PositionTitle",
	"editor.field.experiences.company":       "company, organization, OrganizationName, Employer",
	"editor.field.experiences.location":      "location, Location",
	"editor.field.experiences.start_date":    "startDate, StartDate, Started On, From",
	"editor.field.experiences.end_date":      "endDate, EndDate, Finished On, To",
	"editor.field.educations.school":         "institution, Organisation",
	"editor.field.educations.field_of_study": "FieldOfStudy, DegreeMajor, ProgramConcentration",
	"editor.field.projects.link":             "url, Url, website, Website, URI, Link",
	"editor.field.projects.description":      "description, Description, summary, reference, Comment, Activity, Activities, AcquiredDuring, Cause, Notes, Instructions",
	"editor.entry.certifications":            "Certificate",
	"editor.photo":                           "image, picture, Photo",
	"consent.scope.email":                    "email, Email, Email Address",
	"consent.reads.address":                  "address, Address, AddressLine, AddressLine2, PostalCode, postalCode, Zip Code, CityName, City, Municipality, region, countryCode, CountryCode, Country",
	"cvimport.word.attachment":               "Attachment, AttachmentList, ReferenceTo",
	"cvimport.word.classification":           "NationalClassification",
	"cvimport.word.credits":                  "CreditType, NumberOfCredit",
	"cvimport.word.date":                     "date, Date, DegreeDate, HonourAwardDate, FirstIssuedDate, Issued On, Filing Date, Period, AttendancePeriod, EffectivePeriod, FreeFormEffectivePeriod, Ongoing, CurrentIndicator",
	"cvimport.word.department":               "Department",
	"cvimport.word.doi":                      "DOI",
	"cvimport.word.industry":                 "Industry, IndustryCode, Sector",
	"cvimport.word.level":                    "level, fluency, Level, EducationLevelCode, ProficiencyLevel",
	"cvimport.word.license_number":           "License Number",
	"cvimport.word.maiden_name":              "Maiden Name",
	"cvimport.word.messaging":                "InstantMessaging, Instant Messengers",
	"cvimport.word.number":                   "Number, Patent Number, Application Number",
	"cvimport.word.score":                    "score, gpa, Score",
	"cvimport.word.signature":                "Signature",
	"cvimport.word.title":                    "title, Title",
	"cvimport.word.twitter":                  "Twitter Handles",
	"cvimport.word.type":                     "Type, Use, UseCode, ChannelCode, CertificationTypeCode, LicenseTypeCode",
})

// genderWords maps the words that files use for genders to message keys.
var genderWords = byName(map[string]string{
	"cvimport.word.male":   "m, 1, male, ذكر",
	"cvimport.word.female": "f, 2, female, أنثى",
})

// byName inverts a map from message keys to lists of names.
func byName(names map[string]string) map[string]string {
	out := map[string]string{}
	for message, list := range names {
		for name := range strings.SplitSeq(list, ", ") {
			out[name] = message
		}
	}
	return out
}

var segment = regexp.MustCompile(`^@?([^\[]*)(?:\[(\d+)\])?`)

// inWords describes the strings that could not be imported in the words of the form. It shows no paths,
// because they mean nothing to people who do not know the file format.
func inWords(all []cvimport.Left) []leftText {
	out := make([]leftText, len(all))
	for i, one := range all {
		separator, first := ".", 1
		if strings.Contains(one.Path, "/") {
			separator, first = "/", 0 // XML counts from 1
		}
		t := leftText{Text: one.Text}
		for part := range strings.SplitSeq(one.Path, separator) {
			m := segment.FindStringSubmatch(part)
			if section := sectionWords[m[1]]; section != "" {
				t.Section, t.Number = section, 0
				if n, err := strconv.Atoi(m[2]); err == nil && section != "editor.group.person" {
					t.Number = n + first
				}
			}
			if field := fieldWords[m[1]]; field != "" {
				t.Field = field
			}
			if m[1] != "" {
				t.Words = spelled(m[1])
			}
		}
		if t.Section == "editor.group.person" && t.Words == "Title" {
			t.Field = "cvimport.word.person_title"
		}
		out[i] = t
	}
	return out
}

// left describes, in the language of the page, the strings that could not be imported. It omits the person's
// email address, and moves the personal details that the profile accepts to file.Person.
func (p importPages) left(r *http.Request, who shell.Person, file cvimport.CV) (all []leftText, err error) {
	for _, email := range file.Emails {
		if !strings.EqualFold(email, who.GetEmail()) {
			all = append(all, leftText{Section: "editor.group.person", Field: "consent.scope.email", Text: email, Reason: "cvimport.left.email"})
		}
	}
	page := p.Language(r)
	for _, t := range inWords(file.Left) {
		accepted, err := translate(&t, page)
		if err != nil {
			return nil, err
		}
		if field, _ := strings.CutPrefix(t.Field, "editor.field."); t.Section != "editor.group.person" || !offerDetail(file.Person, field, accepted) {
			all = append(all, t)
		}
	}
	return all, nil
}

// translate expresses t in the language of the page. For a personal detail, it also returns the value
// for the profile, or "" if there is none.
func translate(t *leftText, page *i18n.Language) (accepted string, err error) {
	switch t.Field {
	case "editor.field.date_of_birth":
		accepted = form.DateOf(t.Text)
		t.Text, err = page.PartialDate(accepted)
	case "editor.field.nationality", "editor.field.residence":
		accepted = t.Text
		if code := strings.ToUpper(t.Text); len(code) == 2 {
			t.Text = country.Name(code, page.Tag())
			if accepted = t.Text; accepted == code { // no country has this code
				accepted = ""
			}
		}
	case "editor.field.gender":
		if word := genderWords[strings.ToLower(t.Text)]; word != "" {
			accepted, err = page.Text(word)
		}
	}
	isArabic := strings.ContainsFunc(t.Words, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
	if t.Field == "" && page.Dir() == "rtl" && !isArabic {
		t.Field = "cvimport.word.other"
	}
	return accepted, err
}

// spelled splits a name such as fieldOfStudy into words.
func spelled(name string) string {
	var out strings.Builder
	lower := false
	for i, r := range name {
		switch {
		case r == '_' || r == '-' || r == ':':
			r = ' '
		case i == 0:
			r = unicode.ToUpper(r)
		case lower && unicode.IsUpper(r):
			out.WriteByte(' ')
			fallthrough
		default:
			if lower {
				r = unicode.ToLower(r)
			}
		}
		out.WriteRune(r)
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	return out.String()
}
