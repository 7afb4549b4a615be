package cvimport

import (
	"strings"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/pages/profile/form"
	"vitae.internal/pkg/country"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// fromJSONResume reads a JSON Resume. It returns false for any other object. It also accepts the names that
// fields had before version 1.0, such as company, website, gpa and level, because many files use them and
// few state their version.
func fromJSONResume(root *node, cv *CV) bool {
	known := false
	for _, section := range []string{
		"basics", "work", "volunteer", "education", "awards", "certificates", "publications", "skills", "languages", "interests", "references", "projects",
	} {
		known = known || root.find(section) != nil
	}
	// Files from Reactive Resume also have basics, but keep everything else under sections.
	if !known || root.find("sections") != nil && root.find("work") == nil && root.find("education") == nil {
		return false
	}
	root.drop("$schema")
	root.drop("meta")
	placeBasics(root.find("basics"), cv)
	for _, n := range root.all("work") {
		addWork(n, cv, "", "name", "company")
	}
	for _, n := range root.all("volunteer") {
		addWork(n, cv, "volunteer", "organization")
	}
	for _, n := range root.all("education") {
		addStudy(n, cv)
	}
	for _, n := range root.all("certificates") {
		cv.Content.Certifications = append(cv.Content.Certifications, &cvv1.Certification{
			Name: n.take("name"), Issuer: n.take("issuer"), IssueDate: text(form.DateOf(n.take("date"))), CredentialUrl: text(n.take("url")),
		})
	}
	for _, n := range root.all("awards") {
		title := n.take("title")
		cv.Content.Highlights = append(cv.Content.Highlights, &cvv1.Highlight{
			Title: title, Desc: joined("\n", joined(", ", n.take("awarder"), dates(title, n.take("date"))), n.take("summary")),
		})
	}
	placeWorks(root, cv)
	placeAbilities(root, cv)
	return true
}

func placeBasics(n *node, cv *CV) {
	if n == nil {
		return
	}
	c := cv.Content
	c.Summary = n.take("summary")
	place := n.find("location")
	c.Location = located(place.take("city"), place.take("region"), place.take("countryCode"))
	cv.Title = n.take("label")
	cv.Emails = nonEmpty(n.take("email"))
	cv.Person = &candidatev1.Profile{
		Name: n.take("name"), Headline: cv.Title, Phone: n.take("phone"), Address: joined(", ", place.take("address"), place.take("postalCode")),
	}
	for _, profile := range n.all("profiles") {
		if address := profile.take("url"); address != "" {
			if name := profile.find("username").asIs(); strings.Contains(strings.ToLower(address), strings.ToLower(name)) {
				profile.drop("username")
			}
			addSocial(cv, profile.take("network"), address)
		}
	}
	if address := n.take(n.firstNonEmpty("url", "website")); address != "" {
		addSocial(cv, "website", address)
	}
}

// located formats a place as CVs do. It omits a region that has the city's name, and replaces a country code
// with the country's name in the language of the city.
func located(city, region, code string) string {
	if strings.EqualFold(region, city) {
		region = ""
	}
	language, separator := "en", ", "
	if isArabic(city) {
		language, separator = "ar", "، "
	}
	if len(code) == 2 {
		code = country.Name(strings.ToUpper(code), language)
	}
	return joined(separator, city, region, code)
}

// asIs returns a node's text without taking it, so the text is still listed as not imported.
func (n *node) asIs() string {
	if n == nil {
		return ""
	}
	return n.text
}

// addWork adds a position. The employer is the first non-empty string under the given names.
func addWork(n *node, cv *CV, employment string, company ...string) {
	started, ended := form.DateOf(n.take("startDate")), form.DateOf(n.take("endDate"))
	now := isNow(ended)
	if now {
		ended = ""
	}
	e := &cvv1.Experience{
		Title: n.take("position"), Company: n.take(n.firstNonEmpty(company...)), Location: text(n.take("location")), EmploymentType: text(employment),
		StartDate: text(started), EndDate: text(ended), Current: now || started != "" && ended == "",
		Overview: text(joined("\n", n.take("summary"), n.take("description"))), Bullets: n.takeAll("highlights"),
	}
	cv.Content.Experiences = append(cv.Content.Experiences, e)
}

func addStudy(n *node, cv *CV) {
	school, area, courses := n.take("institution"), n.take("area"), n.takeAll("courses")
	say := labelsFor(append(courses, school, area)...)
	cv.Content.Educations = append(cv.Content.Educations, &cvv1.Education{
		School: school, Degree: text(n.take("studyType")), FieldOfStudy: text(area),
		StartDate: text(form.DateOf(n.take("startDate"))), EndDate: text(form.DateOf(n.take("endDate"))),
		Description: text(joined("\n", say.labeled("GPA", n.take(n.firstNonEmpty("score", "gpa"))), say.labeled("Courses", courses...))),
	})
}

// placeWorks stores both projects and publications as projects, because a CV has no separate list of
// publications.
func placeWorks(root *node, cv *CV) {
	for _, n := range root.all("projects") {
		name := n.take("name")
		when := dates(name, n.take("startDate"), n.take("endDate"))
		description := joined("\n", append([]string{
			n.take("description"), joined(", ", append(n.takeAll("roles"), n.take("entity"), n.take("type"), when)...),
		}, n.takeAll("highlights")...)...)
		cv.Content.Projects = append(cv.Content.Projects, &cvv1.Project{
			Title: name, Description: text(description), Link: text(n.take("url")), Technologies: n.takeAll("keywords"),
		})
	}
	for _, n := range root.all("publications") {
		name := n.take("name")
		cv.Content.Projects = append(cv.Content.Projects, &cvv1.Project{
			Title: name, Link: text(n.take(n.firstNonEmpty("url", "website"))),
			Description: text(joined("\n", joined(", ", n.take("publisher"), dates(name, n.take("releaseDate"))), n.take("summary"))),
		})
	}
}

func placeAbilities(root *node, cv *CV) {
	c := cv.Content
	for _, n := range root.all("skills") {
		name, words := withLevel(n.take("name"), n.take("level")), n.takeAll("keywords")
		if len(words) > 0 && name != "" {
			c.SkillGroups = append(c.SkillGroups, &cvv1.SkillGroup{Category: name, Items: words})
		} else {
			c.Skills = append(c.Skills, append(nonEmpty(name), words...)...)
		}
	}
	for _, n := range root.all("languages") {
		if language := withLevel(n.take("language"), n.take(n.firstNonEmpty("fluency", "level"))); language != "" {
			c.Languages = append(c.Languages, language)
		}
	}
	for _, n := range root.all("interests") {
		if interest := joined(": ", n.take("name"), strings.Join(n.takeAll("keywords"), ", ")); interest != "" {
			c.Interests = append(c.Interests, interest)
		}
	}
}

// withLevel appends a level in the format of our CVs: "Arabic (native)".
func withLevel(name, level string) string {
	if name == "" || level == "" {
		return joined("", name, level)
	}
	return name + " (" + level + ")"
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// addSocial adds a link. It appends a number to further links to the same platform, so that none is lost.
func addSocial(cv *CV, platform, address string) {
	if cv.Content.Socials == nil {
		cv.Content.Socials = map[string]string{}
	}
	platform = strings.ToLower(platform)
	if platform == "" {
		platform = "website"
	}
	unique := platform
	for cv.Content.GetSocials()[unique] != "" {
		// Continue from the platform's last number. Counting from two for each link would take quadratic
		// time.
		cv.links[platform]++
		unique = numbered(platform, cv.links[platform]+1)
	}
	cv.Content.Socials[unique] = address
}

// text wraps s in a StringValue, or returns nil if s is empty.
func text(s string) *wrapperspb.StringValue {
	if s == "" {
		return nil
	}
	return wrapperspb.String(s)
}
