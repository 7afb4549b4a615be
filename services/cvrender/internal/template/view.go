package template

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// view is the data for the HTML template, which contains no logic.
type view struct {
	Template string
	Title    string
	W        *words
	Style    template.CSS
	Photo    template.URL
	// PhotoOf is the description of the photo.
	PhotoOf string
	// FootStart and FootEnd are the texts in the footer of every page, as CSS: the name and the page number.
	FootStart, FootEnd template.CSS

	Name, Headline, Location line
	Contacts                 []link
	Badges                   []string
	Profile                  []line

	Highlights     []labeled
	Sections       []section
	Certifications []certificate
	Skills         []labeled
	Languages      list
	Personal       []labeled
}

// section is a heading with its entries.
type section struct {
	Heading string
	Entries []entry
}

// entry is an item with a heading.
type entry struct {
	Title line
	// When is shown at the end of the line with the title.
	When string
	// Facts are shown on the line below the title.
	Facts list
	// Paragraphs come before Bullets.
	Paragraphs, Bullets []line
	Tags                list
	Link                *link
}

// certificate is a certification on one line, which contains the name, the facts and the URL.
type certificate struct {
	Label part
	Comma string
	Facts list
	Link  *link
}

// line is a text that starts on a new line, such as a paragraph.
type line struct {
	Text string
	// Against has the same meaning as in part.
	Against *words
}

// labeled is a list with a label.
type labeled struct {
	Label part
	Colon string
	list
}

func (w *words) labeled(label string, items ...string) labeled {
	l := labeled{Label: w.part(label), list: w.list(items...)}
	if label != "" && len(l.Items) > 0 {
		l.Colon = w.Colon
	}
	return l
}

func newView(c *cvv1.SharedCv, t Name) view {
	w, d := wordsOf(c.GetLanguage()), c.GetDocument()
	v := view{
		Template: string(t), W: w, Title: w.Untitled,
		Name: w.line(d.GetName()), Headline: w.line(d.GetTitle().GetValue()), Location: w.line(d.GetLocation().GetValue()),
		Contacts: contacts(c), Badges: badges(d, w), Profile: w.lines(profile(d)...),
		Skills: skills(d, w), Languages: w.list(d.GetLanguages()...), Personal: personal(c.GetPersonalDetails(), w),
		PhotoOf: w.Photo, Certifications: entries(d.GetCertifications(), w, certification), Sections: sections(d, w),
	}
	if name := d.GetName(); name != "" {
		v.Title, v.PhotoOf = fmt.Sprintf(w.Title, name), fmt.Sprintf(w.PhotoOf, name)
	}
	for _, h := range d.GetHighlights() {
		v.Highlights = append(v.Highlights, w.labeled(h.GetTitle(), h.GetDesc()))
	}
	v.FootStart, v.FootEnd = w.foot(d.GetName())
	return v
}

// profile returns the introductory paragraphs. They are the paragraphs of the summary, followed by those
// paragraphs of the bio that do not repeat them.
func profile(d *cvv1.CvDocument) []string {
	out := paragraphs(d.GetSummary().GetValue())
	for _, p := range paragraphs(d.GetBio().GetValue()) {
		if !slices.ContainsFunc(out, func(before string) bool { return strings.Contains(before, p) }) {
			out = append(out, p)
		}
	}
	return out
}

// sections returns the sections that have entries.
func sections(d *cvv1.CvDocument, w *words) []section {
	all := []section{
		{w.Experience, entries(d.GetExperiences(), w, experience)},
		{w.Projects, entries(d.GetProjects(), w, project)},
		{w.Education, entries(d.GetEducations(), w, education)},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.Entries) == 0 })
}

func entries[T, E any](items []T, w *words, show func(T, *words) E) []E {
	var out []E
	for _, item := range items {
		out = append(out, show(item, w))
	}
	return out
}

func experience(e *cvv1.Experience, w *words) entry {
	title, company := e.GetTitle(), e.GetCompany()
	if title == "" {
		title, company = company, ""
	}
	return entry{
		Title: w.line(title), When: w.period(e.GetStartDate().GetValue(), e.GetEndDate().GetValue(), e.GetCurrent()),
		Facts:      w.dotted(company, e.GetLocation().GetValue(), w.value(e.GetLocationType().GetValue()), w.value(e.GetEmploymentType().GetValue())),
		Paragraphs: w.lines(paragraphs(e.GetOverview().GetValue())...), Bullets: w.lines(present(e.GetBullets()...)...),
	}
}

func project(p *cvv1.Project, w *words) entry {
	return entry{
		Title: w.line(p.GetTitle()), Paragraphs: w.lines(paragraphs(p.GetDescription().GetValue())...), Link: optional(p.GetLink().GetValue()),
		Tags: w.list(p.GetTechnologies()...),
	}
}

func education(e *cvv1.Education, w *words) entry {
	start, end := e.GetStartDate().GetValue(), e.GetEndDate().GetValue()
	title, school := strings.Join(present(e.GetDegree().GetValue(), e.GetFieldOfStudy().GetValue()), w.Comma), e.GetSchool()
	if title == "" {
		title, school = school, ""
	}
	return entry{
		Title: w.line(title), Facts: w.list(school), When: w.period(start, end, start != "" && end == ""),
		Paragraphs: w.lines(paragraphs(e.GetDescription().GetValue())...),
	}
}

func certification(c *cvv1.Certification, w *words) certificate {
	expires := c.GetExpirationDate().GetValue()
	if expires != "" {
		expires = w.Expires + w.Colon + w.date(expires, false)
	}
	return certificate{
		Label: w.part(c.GetName()), Comma: w.Comma, Facts: w.list(c.GetIssuer(), w.date(c.GetIssueDate().GetValue(), false), expires),
		Link: optional(c.GetCredentialUrl().GetValue()),
	}
}

func badges(d *cvv1.CvDocument, w *words) []string {
	var out []string
	if d.GetIsUaePassVerified() {
		out = append(out, w.Verified)
	}
	if d.GetOpenToWork() {
		out = append(out, w.OpenToWork)
	}
	return out
}

// skills returns the groups of skills, followed by the skills without a group.
func skills(d *cvv1.CvDocument, w *words) []labeled {
	var out []labeled
	grouped := map[string]bool{}
	for _, g := range d.GetSkillGroups() {
		items := present(g.GetItems()...)
		for _, i := range items {
			grouped[i] = true
		}
		if len(items) > 0 {
			out = append(out, w.labeled(g.GetCategory(), items...))
		}
	}
	rest := slices.DeleteFunc(present(d.GetSkills()...), func(s string) bool { return grouped[s] })
	if len(rest) > 0 {
		label := ""
		if len(out) > 0 {
			label = w.Other
		}
		out = append(out, w.labeled(label, rest...))
	}
	return out
}

func personal(p *cvv1.PersonalDetails, w *words) []labeled {
	values := [8]string{
		w.date(p.GetDateOfBirth().GetValue(), true), w.value(p.GetGender().GetValue()), w.value(p.GetMaritalStatus().GetValue()),
		p.GetNationality().GetValue(), p.GetResidence().GetValue(), p.GetVisaResidency().GetValue(),
		w.value(p.GetNationalService().GetValue()), p.GetDependents().GetValue(),
	}
	var out []labeled
	for i, v := range values {
		if v != "" {
			out = append(out, w.labeled(w.personal[i], v))
		}
	}
	return out
}

func optional(address string) *link {
	if strings.TrimSpace(address) == "" {
		return nil
	}
	l := webLink("", address)
	return &l
}

// present returns the strings that are not blank, trimmed, in a new slice.
func present(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// paragraphs splits a text at its line breaks.
func paragraphs(text string) []string { return present(strings.Split(text, "\n")...) }
