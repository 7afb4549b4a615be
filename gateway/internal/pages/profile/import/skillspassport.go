package cvimport

import (
	"strings"
	"unicode"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// fromSkillsPassport reads a Europass SkillsPassport, version 3, the format that Europass wrote until 2020.
func fromSkillsPassport(root *node, cv *CV) bool {
	learner := root.find("LearnerInfo")
	if learner == nil {
		return false
	}
	root.drop("DocumentInfo")
	root.drop("PrintingPreferences")
	language := root.take("@locale")
	dropLabelledCodes(learner)
	cv.Title = learner.take("Headline", "Description", "Label")
	contact := learner.find("Identification", "ContactInfo")
	place := contact.find("Address", "Contact")
	cv.Content.Location = joined(", ", place.take("Municipality"), place.take("Country", "Label"))
	name := learner.find("Identification", "PersonName")
	cv.Person = &candidatev1.Profile{
		Name: joined(" ", name.take("FirstName"), name.take("Surname")), Headline: cv.Title, Phone: contact.take("TelephoneList", "Telephone", "Contact"),
		Address: joined(", ", place.take("AddressLine"), place.take("AddressLine2"), place.take("PostalCode")),
	}
	cv.Emails = nonEmpty(contact.take("Email", "Contact"))
	birth := learner.find("Identification", "Demographics", "Birthdate")
	birth.list("Birthdate", passportDate(birth))
	for _, site := range contact.find("WebsiteList").all("Website") {
		if address := site.take("Contact"); address != "" {
			addSocial(cv, site.take("Use", "Label"), address)
		}
	}
	for _, n := range learner.find("WorkExperienceList").all("WorkExperience") {
		addWorkExperience(n, cv)
	}
	for _, n := range learner.find("EducationList").all("Education") {
		addEuropassEducation(n, cv)
	}
	placePassportSkills(learner.find("Skills"), cv, language)
	for _, n := range learner.find("AchievementList").all("Achievement") {
		cv.Content.Highlights = append(cv.Content.Highlights, &cvv1.Highlight{Title: n.take("Title", "Label"), Desc: plain(n.take("Description"))})
	}
	return true
}

// dropLabelledCodes drops codes that have a label next to them, and the types of embedded files.
func dropLabelledCodes(n *node) {
	if n.find("Label") != nil {
		n.drop("Code")
	}
	if n.find("Data") != nil {
		n.drop("MimeType")
	}
	for _, part := range n.parts {
		dropLabelledCodes(part)
	}
}

func addWorkExperience(n *node, cv *CV) {
	from, to := period(n.find("Period"))
	employer := n.find("Employer")
	place := employer.find("ContactInfo", "Address", "Contact")
	cv.Content.Experiences = append(cv.Content.Experiences, &cvv1.Experience{
		Title: n.take("Position", "Label"), Company: employer.take("Name"),
		Location:  text(joined(", ", place.take("Municipality"), place.take("Country", "Label"))),
		StartDate: text(from), EndDate: text(to), Current: takeFlag(n.find("Period"), "Current"), Overview: text(plain(n.take("Activities"))),
	})
}

func addEuropassEducation(n *node, cv *CV) {
	from, to := period(n.find("Period"))
	dropOngoing(n.find("Period"), "Current", from, to)
	school, degree, subjects := n.take("Organisation", "Name"), n.take("Title"), plain(n.take("Activities"))
	say := labelsFor(school, degree, subjects)
	cv.Content.Educations = append(cv.Content.Educations, &cvv1.Education{
		School: school, Degree: text(degree), FieldOfStudy: text(n.take("Field", "Label")),
		StartDate: text(from), EndDate: text(to), Description: text(joined("\n", n.take("Level", "Label"), say.labeled("Subjects and skills", subjects))),
	})
}

func period(n *node) (from, to string) {
	return passportDate(n.find("From")), passportDate(n.find("To"))
}

// passportDate reads a date in the format of the SkillsPassport: year="2008" month="--08" day="---02".
func passportDate(n *node) string {
	return joined("-", n.take("@year"), strings.TrimLeft(n.take("@month"), "-"), strings.TrimLeft(n.take("@day"), "-"))
}

// passportLanguage takes the name of a language or, if there is none, its code.
func passportLanguage(n *node, cvLanguage string) string {
	if label := n.take("Description", "Label"); label != "" {
		return label
	}
	return languageName(n.take("Description", "Code"), cvLanguage)
}

// words splits a name such as SpokenInteraction into words.
func words(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// placePassportSkills stores languages with their levels, and every other group of skills under the name of
// its element.
func placePassportSkills(n *node, cv *CV, cvLanguage string) {
	if n == nil {
		return
	}
	c := cv.Content
	for _, mother := range n.find("Linguistic", "MotherTongueList").all("MotherTongue") {
		c.Languages = append(c.Languages, nonEmpty(withLevel(passportLanguage(mother, cvLanguage), "native"))...)
	}
	for _, foreign := range n.find("Linguistic", "ForeignLanguageList").all("ForeignLanguage") {
		name := passportLanguage(foreign, cvLanguage)
		var levels []string
		for _, part := range foreign.find("ProficiencyLevel").every() {
			if level := part.take(); level != "" {
				levels = append(levels, words(part.name)+" "+level)
			}
		}
		c.Languages = append(c.Languages, nonEmpty(withLevel(name, strings.Join(levels, ", ")))...)
	}
	for _, group := range []struct{ element, category string }{
		{"Communication", "Communication"}, {"Organisational", "Organisation"}, {"JobRelated", "Job-related"}, {"Computer", "Computer"}, {"Other", "Other"},
	} {
		described := plain(n.take(group.element, "Description"))
		if described == "" {
			continue
		}
		var words []string
		for line := range strings.SplitSeq(described, "\n") {
			words = append(words, strings.TrimPrefix(line, "• "))
		}
		c.SkillGroups = append(c.SkillGroups, &cvv1.SkillGroup{Category: group.category, Items: words})
	}
	if licences := n.find("Driving", "Description").takeAll("Licence"); len(licences) > 0 {
		c.SkillGroups = append(c.SkillGroups, &cvv1.SkillGroup{Category: "Driving licence", Items: licences})
	}
}
