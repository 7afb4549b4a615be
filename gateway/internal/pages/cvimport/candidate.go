package cvimport

import (
	"strings"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// fromCandidate places a Europass Candidate, which europa.eu/europass writes since 2020.
// CandidateSupplier repeats the person; who the person is belongs to the profile, and is left.
func fromCandidate(root *node, cv *CV) bool {
	root.drop("DocumentID")
	root.drop("CandidateSupplier")
	root.drop("RenderingInformation")
	dropCodes(root)
	var summaries []string
	profiles := root.all("CandidateProfile")
	for _, p := range profiles {
		p.drop("ID")
		p.drop("@languageCode")
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
			addCompetency(n, cv)
		}
		placeOthers(p, cv)
	}
	cv.Content.Summary = joined("\n", summaries...)
	for _, c := range root.find("CandidatePerson").all("Communication") {
		placeCommunication(c, cv)
	}
	return len(profiles) > 0
}

// dropCodes takes the attributes that say which list a code is of.
func dropCodes(n *node) {
	for _, part := range n.parts {
		switch part.name {
		case "@schemeID", "@schemeName", "@schemeAgencyName", "@schemeVersionID", "@schemeAgencyID", "@listName", "@listURI", "@listVersionID", "@typeCode", "@type", "@sequence":
			part.taken = true
		default:
			dropCodes(part)
		}
	}
}

// placeCommunication takes the city and country of the address, and links. Telephone number,
// e-mail address and street belong to the profile.
func placeCommunication(n *node, cv *CV) {
	if place := n.find("Address"); place != nil {
		cv.Content.Location = joined(", ", place.take("CityName"), strings.ToUpper(place.take("CountryCode")))
		n.drop("UseCode")
		return
	}
	if channel := n.find("ChannelCode").asIs(); channel != "Web" && channel != "SocialMedia" {
		return
	}
	if address := n.take("URI"); address != "" {
		n.drop("ChannelCode")
		addSocial(cv, n.take("UseCode"), address)
	}
}

func addEmployer(n *node, cv *CV) {
	company := n.take("OrganizationName")
	where := n.find("OrganizationContact", "Communication", "Address")
	city, country := where.take("CityName"), strings.ToUpper(where.take("CountryCode"))
	for _, p := range n.all("PositionHistory") {
		period := p.find("EmploymentPeriod")
		place := joined(", ", p.take("City"), strings.ToUpper(p.take("Country")))
		if place == "" {
			place = joined(", ", city, country)
		}
		cv.Content.Experiences = append(cv.Content.Experiences, &cvv1.Experience{
			Title: p.take("PositionTitle"), Company: company, Location: text(place),
			StartDate: text(date(period.take("StartDate", "FormattedDateTime"))), EndDate: text(date(period.take("EndDate", "FormattedDateTime"))),
			Current: period.take("CurrentIndicator") == "true", Overview: text(plain(p.take("Description"))),
		})
	}
}

func addAttendance(n *node, cv *CV) {
	n.find("OrganizationContact", "Communication").drop("UseCode")
	period := n.find("AttendancePeriod")
	period.drop("Ongoing")
	e := &cvv1.Education{
		School: n.take("OrganizationName"), StartDate: text(date(period.take("StartDate", "FormattedDateTime"))),
		EndDate: text(date(period.take("EndDate", "FormattedDateTime"))),
	}
	var about []string
	for i, degree := range n.all("EducationDegree") {
		name, covered := degree.take("DegreeName"), plain(degree.take("OccupationalSkillsCovered"))
		if i == 0 {
			e.Degree = text(name)
		} else {
			about = append(about, name)
		}
		about = append(about, covered)
	}
	e.FieldOfStudy = text(n.take("EducationFieldOfStudy"))
	e.Description = text(joined("\n", append(about, plain(n.take("Description")))...))
	cv.Content.Educations = append(cv.Content.Educations, e)
}

func addCertification(n *node, cv *CV) {
	cv.Content.Certifications = append(cv.Content.Certifications, &cvv1.Certification{
		Name: n.take("CertificationName"), Issuer: n.take("IssuingAuthorityName"),
		IssueDate:      text(date(n.take("FirstIssuedDate", "FormattedDateTime"))),
		ExpirationDate: text(date(n.take("EffectivePeriod", "EndDate", "FormattedDateTime"))),
	})
}

func addPublication(n *node, cv *CV) {
	cv.Content.Projects = append(cv.Content.Projects, &cvv1.Project{
		Title: n.take("Title"), Description: text(joined("\n", n.take("Reference"), n.take("Year"), plain(n.take("FormattedPublicationDescription")))),
		Link: text(n.take("Link")),
	})
}

// addCompetency places a language with its levels of the Common European Framework, and every
// other competency as a skill.
func addCompetency(n *node, cv *CV) {
	name, kind := n.take("CompetencyID"), n.take("TaxonomyID")
	if label := n.take("CompetencyName"); label != "" {
		name = label
	}
	if kind != "language" {
		cv.Content.Skills = append(cv.Content.Skills, nonEmpty(name)...)
		return
	}
	var levels []string
	for _, d := range n.all("CompetencyDimension") {
		kind := d.take("CompetencyDimensionTypeCode")
		if level := d.take("Score", "ScoreText"); level != "" {
			levels = append(levels, strings.TrimPrefix(kind, "CEF-")+" "+level)
		}
	}
	cv.Content.Languages = append(cv.Content.Languages, nonEmpty(withLevel(languageName(name), strings.Join(levels, ", ")))...)
}

// placeOthers places what a person wrote under headings of their own.
func placeOthers(p *node, cv *CV) {
	for _, n := range p.find("Others").all("Other") {
		cv.Content.Highlights = append(cv.Content.Highlights, &cvv1.Highlight{Title: n.take("Title"), Desc: plain(n.take("Description"))})
	}
	for _, section := range []string{"Projects", "NetworksAndMemberships", "ConferencesAndSeminars", "HonoursAndAwards", "VolunteeringActivities"} {
		for _, part := range p.find(section).every() {
			if title := part.take("Title"); title != "" {
				cv.Content.Highlights = append(cv.Content.Highlights, &cvv1.Highlight{Title: title, Desc: plain(part.take("Description"))})
			}
		}
	}
}

// every gives the parts of n, none for nil.
func (n *node) every() []*node {
	if n == nil {
		return nil
	}
	return n.parts
}
