package profile

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	cvimport "vitae.internal/gateway/internal/pages/profile/import"
)

// leftText is a text of a file that has no place in a CV, with where it was in the words of the form.
type leftText struct {
	// Section is the message of the part of a CV, "" for another part. Number is that of the entry in it, from
	// 1 on, 0 for none.
	Section string
	Number  int
	// Field is the message of what the text is; if that is "", Words are the file's own.
	Field, Words string
	Text         string
}

// sectionWords are the messages of parts of a CV, by the names that files have for them.
var sectionWords = map[string]string{
	"basics": "editor.group.person", "Profile": "editor.group.person", "Email Addresses": "editor.group.person", "PhoneNumbers": "editor.group.person",
	"Positions": "editor.group.experiences", "Volunteering": "editor.group.experiences", "Certifications": "editor.group.certifications", "Projects": "editor.group.projects",
	"CandidatePerson": "editor.group.person", "Identification": "editor.group.person",
	"work": "editor.group.experiences", "volunteer": "editor.group.experiences", "EmployerHistory": "editor.group.experiences", "WorkExperience": "editor.group.experiences",
	"education": "editor.group.educations", "EducationOrganizationAttendance": "editor.group.educations", "Education": "editor.group.educations",
	"certificates": "editor.group.certifications", "Certification": "editor.group.certifications", "License": "editor.group.certifications",
	"skills": "editor.group.skills", "PersonCompetency": "editor.group.skills", "Skills": "editor.group.skills",
	"languages": "editor.group.languages", "projects": "editor.group.projects", "publications": "editor.group.projects", "Publication": "editor.group.projects",
	"awards": "editor.group.highlights", "Achievement": "editor.group.highlights", "interests": "editor.group.interests",
}

// fieldWords are the messages of what a text is, by the names that files have for it.
var fieldWords = map[string]string{
	"Email Address": "consent.scope.email", "Birth Date": "editor.field.date_of_birth",
	"email": "consent.scope.email", "phone": "editor.field.phone", "FormattedNumber": "editor.field.phone", "DialNumber": "editor.field.phone",
	"image": "editor.photo", "Photo": "editor.photo", "birthdate": "editor.field.date_of_birth", "BirthDate": "editor.field.date_of_birth", "Birthdate": "editor.field.date_of_birth",
	"url": "editor.field.projects.link", "website": "editor.field.projects.link", "URI": "editor.field.projects.link",
	"address": "editor.field.address", "AddressLine": "editor.field.address", "PostalCode": "editor.field.address", "postalCode": "editor.field.address",
	"gender": "editor.field.gender", "GenderCode": "editor.field.gender", "Gender": "editor.field.gender", "nationality": "editor.field.nationality", "NationalityCode": "editor.field.nationality",
	"Nationality": "editor.field.nationality", "GivenName": "editor.field.name", "FamilyName": "editor.field.name", "FirstName": "editor.field.name", "Surname": "editor.field.name",
}

var segment = regexp.MustCompile(`^@?([^\[]*)(?:\[(\d+)\])?`)

// inWords returns what is left of a file in the words of the form. No path is shown: it says nothing to
// people who have not seen the file's insides.
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
				if n, err := strconv.Atoi(m[2]); err == nil {
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
		if t.Section == "editor.group.person" && t.Words == "Name" {
			t.Field = "editor.field.name"
		}
		out[i] = t
	}
	return out
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
