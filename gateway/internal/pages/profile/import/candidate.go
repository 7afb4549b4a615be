package cvimport

import (
	"cmp"
	"slices"
	"strings"

	"vitae.internal/gateway/internal/pages/profile/form"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// fromCandidate reads a Europass Candidate, the format that europa.eu/europass has written since 2020. It
// ignores CandidateSupplier, which repeats the person's details.
func fromCandidate(root *node, cv *CV) bool {
	root.drop("DocumentID")
	root.drop("CandidateSupplier")
	root.drop("RenderingInformation")
	dropCodes(root)
	placePerson(root.find("CandidatePerson"), cv, root.find("CandidateProfile", "@languageCode").asIs())
	var summaries []string
	profiles := root.all("CandidateProfile")
	for _, p := range profiles {
		p.drop("ID")
		language := p.take("@languageCode")
		summaries = append(summaries, plain(p.take("ExecutiveSummary")))
		for _, employer := range p.find("EmploymentHistory").all("EmployerHistory") {
			addEmployer(employer, cv)
		}
		for _, school := range p.find("EducationHistory").all("EducationOrganizationAttendance") {
			addAttendance(school, cv)
		}
		for _, c := range p.find("Certifications").all("Certification") {
			addCertification(c, cv)
		}
		for _, n := range p.find("PublicationHistory").all("Publication") {
			addPublication(n, cv)
		}
		for _, n := range p.find("PersonQualifications").all("PersonCompetency") {
			addCompetency(n, cv, language)
		}
		placeSkills(p, cv)
		placeActivities(p, cv)
	}
	cv.Content.Summary = joined("\n", summaries...)
	return len(profiles) > 0
}

// dropCodes drops the attributes that name the code list to which a code belongs.
func dropCodes(n *node) {
	for _, part := range n.parts {
		switch part.name {
		case "@schemeID", "@schemeName", "@schemeAgencyName", "@schemeVersionID", "@schemeAgencyID", "@listName", "@listURI", "@listVersionID",
			"@typeCode", "@type", "@sequence", "@languageID":
			part.taken = true
		default:
			dropCodes(part)
		}
	}
}

// placePerson stores the name, email addresses, first postal address, first phone number, links and mother
// tongues.
func placePerson(n *node, cv *CV, cvLanguage string) {
	name := n.find("PersonName")
	cv.Person.Name = joined(" ", name.take("GivenName"), name.take("FamilyName"))
	for _, c := range n.all("Communication") {
		if place := c.find("Address"); place != nil {
			c.drop("UseCode")
			city := located(place.take("CityName"), "", place.take("CountryCode"))
			street := joined(", ", append(place.takeAll("AddressLine"), place.take("PostalCode"))...)
			if cv.Content.GetLocation() == "" && cv.Person.GetAddress() == "" {
				cv.Content.Location, cv.Person.Address = city, street
			} else {
				place.list("address", joined(", ", street, city))
			}
			continue
		}
		switch strings.ReplaceAll(strings.ToLower(c.find("ChannelCode").asIs()), " ", "") {
		case "email":
			cv.Emails = append(cv.Emails, nonEmpty(c.take("URI"))...)
			c.drop("ChannelCode")
			c.drop("UseCode")
		case "web", "socialmedia":
			placeLink(c, cv)
		case "telephone":
			if phone := phoneOf(c); cv.Person.GetPhone() == "" {
				cv.Person.Phone = phone
			} else {
				c.list("phone", phone)
			}
		case "instantmessaging":
			c.drop("ChannelCode")
			c.list("InstantMessaging", joined(": ", c.take("UseCode"), c.take("URI")))
		}
	}
	for _, language := range n.all("PrimaryLanguageCode") {
		language.drop("@name")
		cv.Content.Languages = append(cv.Content.Languages, nonEmpty(withLevel(languageName(language.take(), cvLanguage), "native"))...)
	}
}

// phoneOf takes a phone number with its country code.
func phoneOf(n *node) string {
	n.drop("ChannelCode")
	n.drop("UseCode")
	number, dialing := n.take("DialNumber"), n.take("CountryDialing")
	if dialing != "" {
		n.drop("CountryCode")
	}
	if dialing != "" && !strings.HasPrefix(dialing, "+") {
		dialing = "+" + dialing
	}
	return joined(" ", dialing, number)
}

// placeLink stores a link under the name of its site.
func placeLink(n *node, cv *CV) {
	address := n.take("URI")
	if address == "" {
		return
	}
	n.drop("ChannelCode")
	use, site := n.take("UseCode"), n.take("OtherTitle")
	if strings.EqualFold(use, "other") && site != "" {
		use = ""
	}
	addSocial(cv, joined(" ", use, site), address)
}

// addEmployer adds the positions at an employer. A position without a location gets the employer's
// location.
func addEmployer(n *node, cv *CV) {
	positions := n.all("PositionHistory")
	if len(positions) == 0 {
		return
	}
	company := n.take("OrganizationName")
	at := n.find("OrganizationContact", "Communication", "Address")
	there := located(at.find("CityName").asIs(), "", at.find("CountryCode").asIs())
	for _, p := range positions {
		period := p.find("EmploymentPeriod")
		place := located(p.take("City"), "", p.take("Country"))
		if place == "" || place == there {
			place = there
			at.drop("CityName")
			at.drop("CountryCode")
		}
		cv.Content.Experiences = append(cv.Content.Experiences, &cvv1.Experience{
			Title: p.take("PositionTitle"), Company: company, Location: text(place),
			StartDate: text(dateIn(period, "StartDate")), EndDate: text(dateIn(period, "EndDate")),
			Current: takeFlag(period, "CurrentIndicator"), Overview: text(plain(p.take("Description"))),
		})
	}
}

// dateIn takes the date in the child element with the given name.
func dateIn(n *node, name string) string {
	part := n.find(name)
	return form.DateOf(part.take(part.firstNonEmpty("FormattedDateTime", "DateText")))
}

// takeFlag takes the text of a child element if it is true or false, and leaves any other text.
func takeFlag(n *node, name string) bool {
	value := n.find(name).asIs()
	if value == "true" || value == "false" {
		n.take(name)
	}
	return value == "true"
}

// dropOngoing drops the flag that marks a study as ongoing, which is implied by a start date without an end
// date. It keeps a flag that contradicts the dates.
func dropOngoing(n *node, name, from, to string) {
	if value := n.find(name).asIs(); value == "false" || value == "true" && from != "" && to == "" {
		n.drop(name)
	}
}

func addAttendance(n *node, cv *CV) {
	n.find("OrganizationContact", "Communication").drop("UseCode")
	period := n.find("AttendancePeriod")
	from, to := dateIn(period, "StartDate"), dateIn(period, "EndDate")
	dropOngoing(period, "Ongoing", from, to)
	e := &cvv1.Education{School: n.take("OrganizationName"), StartDate: text(from), EndDate: text(to)}
	degrees := []string{n.take("ProgramName")}
	var about []string
	for _, degree := range n.all("EducationDegree") {
		name, thesis, subjects := degree.take("DegreeName"), plain(degree.take("Thesis")), plain(degree.take("OccupationalSkillsCovered"))
		say := labelsFor(e.GetSchool(), name, thesis, subjects)
		degrees = append(degrees, name)
		about = append(about, say.labeled("Grade", degree.take("FinalGrade", "ScoreText")), say.labeled("Thesis", thesis), say.labeled("Subjects and skills", subjects))
	}
	degrees = slices.DeleteFunc(degrees, func(s string) bool { return s == "" })
	if len(degrees) > 0 {
		e.Degree = text(degrees[0])
		about = append(degrees[1:], about...)
	}
	e.FieldOfStudy = text(n.take("EducationFieldOfStudy"))
	e.Description = text(joined("\n", append(about, plain(n.take("Description")))...))
	cv.Content.Educations = append(cv.Content.Educations, e)
}

func addCertification(n *node, cv *CV) {
	issuer := n.take("IssuingAuthorityName")
	if issuer == "" {
		issuer = n.take("IssuingAuthority", "Name")
	}
	period := n.find("EffectivePeriod")
	if period == nil {
		period = n.find("FreeFormEffectivePeriod")
	}
	cv.Content.Certifications = append(cv.Content.Certifications, &cvv1.Certification{
		Name: n.take("CertificationName"), Issuer: issuer, IssueDate: text(dateIn(n, "FirstIssuedDate")),
		ExpirationDate: text(dateIn(period, "EndDate")), CredentialUrl: text(n.take("Link")),
	})
}

func addPublication(n *node, cv *CV) {
	cv.Content.Projects = append(cv.Content.Projects, &cvv1.Project{
		Title: n.take("Title"), Description: text(joined("\n", n.take("Reference"), n.take("Year"), plain(n.take("FormattedPublicationDescription")))),
		Link: text(n.take("Link")),
	})
}

// addCompetency stores a language with its levels of the Common European Framework, or any other competency
// as a skill.
func addCompetency(n *node, cv *CV, cvLanguage string) {
	if n.find("TaxonomyID").asIs() != "language" {
		cv.Content.Skills = append(cv.Content.Skills, nonEmpty(competency(n))...)
		return
	}
	name := competency(n)
	var levels []string
	for _, d := range n.all("CompetencyDimension") {
		kind := d.take("CompetencyDimensionTypeCode")
		if level := d.take("Score", "ScoreText"); level != "" {
			levels = append(levels, dimension(kind)+" "+level)
		}
	}
	cv.Content.Languages = append(cv.Content.Languages, nonEmpty(withLevel(languageName(name, cvLanguage), strings.Join(levels, ", ")))...)
}

// dimension returns the name of a language skill, for example "listening" for CEF-Understanding-Listening.
func dimension(kind string) string {
	return strings.ToLower(strings.NewReplacer("CEF-", "", "Understanding-", "", "Speaking-", "spoken ", "Writing-Production", "writing").Replace(kind))
}

// competency takes the name of a competency, its code and the code of its kind.
func competency(n *node) string {
	id, name := n.take("CompetencyID"), n.take("CompetencyName")
	n.drop("TaxonomyID")
	return cmp.Or(name, id)
}

// placeSkills stores a person's skills and driving licenses. It stores grouped skills under the title of
// their group.
func placeSkills(p *node, cv *CV) {
	c := cv.Content
	for _, n := range p.find("Skills").all("PersonCompetency") {
		c.Skills = append(c.Skills, nonEmpty(competency(n))...)
	}
	for _, group := range p.find("Skills").all("SkillsGroup") {
		var words []string
		for _, n := range group.all("PersonCompetency") {
			words = append(words, nonEmpty(competency(n))...)
		}
		if len(words) > 0 {
			c.SkillGroups = append(c.SkillGroups, &cvv1.SkillGroup{Category: group.take("Title"), Items: words})
		}
	}
	var licences []string
	for _, n := range p.find("Licenses").all("License") {
		kind, name := n.take("LicenseTypeCode"), n.take("LicenseName")
		licences = append(licences, nonEmpty(joined(" ", kind, name))...)
	}
	if len(licences) > 0 {
		c.SkillGroups = append(c.SkillGroups, &cvv1.SkillGroup{Category: "Driving licence", Items: licences})
	}
}

// activities lists the sections of a profile whose elements have a title and a description. The label is
// for titles that do not explain themselves.
var activities = []struct{ section, label string }{
	{"NetworksAndMemberships", "Membership"}, {"ConferencesAndSeminars", "Conference or seminar"}, {"HonoursAndAwards", ""},
	{"SocialAndPoliticalActivities", "Social or political activity"}, {"CreativeWorks", "Creative work"}, {"CourseCertifications", "Course"},
	{"HobbiesAndInterests", "Interest"}, {"CommunicationAndInterpersonalSkills", "Communication"}, {"ManagementAndLeadershipSkills", "Leadership"},
	{"OrganisationalSkills", "Organisation"}, {"DigitalSkills", "Digital skill"}, {"JobRelatedSkills", "Job-related skill"}, {"OtherSkills", "Skill"},
}

// placeActivities stores projects, voluntary work and entries under other headings. An entry under a custom
// heading repeats that heading.
func placeActivities(p *node, cv *CV) {
	c := cv.Content
	for _, n := range p.find("Projects").every() {
		if title := n.take("Title"); title != "" {
			when := span(n, title)
			c.Projects = append(c.Projects, &cvv1.Project{Title: title, Link: text(n.take("Link")), Description: text(joined("\n", when, plain(n.take("Description"))))})
		}
	}
	for _, section := range []string{"VoluntaryWorks", "VolunteeringActivities"} {
		for _, n := range p.find(section).every() {
			addVoluntaryWork(n, c)
		}
	}
	for _, one := range activities {
		for _, n := range p.find(one.section).every() {
			if title := n.take("Title"); title != "" {
				addHighlight(n, c, labelsFor(title).labeled(one.label, title))
			}
		}
	}
	for _, section := range p.all("Others") {
		heading := section.find("Title")
		for _, n := range section.all("Other") {
			title := n.take("Title")
			if title != heading.asIs() {
				title = joined(": ", heading.asIs(), title)
			}
			addHighlight(n, c, title)
			heading.drop()
		}
	}
}

func addVoluntaryWork(n *node, c *candidatev1.CvContent) {
	title := n.take("Title")
	if title == "" {
		return
	}
	period := n.find("Date")
	current := takeFlag(period, "Ongoing")
	c.Experiences = append(c.Experiences, &cvv1.Experience{
		Title: title, EmploymentType: text("volunteer"), Location: text(n.take("Location")),
		StartDate: text(dateIn(period, "StartDate")), EndDate: text(dateIn(period, "EndDate")), Current: current,
		Overview: text(joined("\n", plain(n.take("Description")), n.take("Link"))),
	})
}

// addHighlight adds an entry that has a title.
func addHighlight(n *node, c *candidatev1.CvContent, title string) {
	if title == "" {
		return
	}
	where := joined(", ", n.take("Location"), span(n, title))
	c.Highlights = append(c.Highlights, &cvv1.Highlight{Title: title, Desc: joined("\n", where, plain(n.take("Description")), n.take("Link"))})
}

// span takes the period of an activity and formats it in the language of the title.
func span(n *node, title string) string {
	period := n.find("Date")
	from, to := dateIn(period, "StartDate"), dateIn(period, "EndDate")
	if takeFlag(period, "Ongoing") && to == "" && from != "" {
		return dates(title, from) + " –"
	}
	return dates(title, from, to)
}

// every returns the children of n, or nil if n is nil.
func (n *node) every() []*node {
	if n == nil {
		return nil
	}
	return n.parts
}
