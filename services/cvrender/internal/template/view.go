package template

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"vitae.internal/services/cvrender/internal/cv"
)

// view is the data of the HTML template, which makes no choices.
type view struct {
	Lang, Template string
	Title          string
	W              *words
	Style          template.CSS
	Photo          template.URL
	// PhotoOf describes the photo.
	PhotoOf string
	// FootStart and FootEnd are the foot of every page, from left to right, as CSS: name and page
	// number.
	FootStart, FootEnd template.CSS

	Name, Headline, Location line
	Contacts                 []link
	Badges                   []string
	Profile                  []line

	Highlights     []labelled
	Sections       []section
	Certifications []certificate
	Skills         []labelled
	Languages      list
	Personal       []labelled
}

// section is a heading with entries.
type section struct {
	Heading string
	Entries []entry
}

// entry is an item with a heading.
type entry struct {
	Title line
	// When is at the end of the title's line.
	When string
	// Facts are in the line below the title.
	Facts list
	// Paragraphs come before Bullets.
	Paragraphs, Bullets []line
	Tags                list
	Link                *link
}

// certificate is a certification on one line: name, facts and address.
type certificate struct {
	Label part
	Comma string
	Facts list
	Link  *link
}

// line is a text on its own lines.
type line struct {
	Text string
	// Against is as in part.
	Against *words
}

// labelled is a label with a list.
type labelled struct {
	Label part
	Colon string
	list
}

func (w *words) labelled(label string, items ...string) labelled {
	l := labelled{Label: w.part(label), list: w.list(items...)}
	if label != "" && len(l.Items) > 0 {
		l.Colon = w.Colon
	}
	return l
}

func newView(c cv.CV, t Name) view {
	w := wordsOf(c.Language)
	v := view{
		Lang: string(c.Language), Template: string(t), W: w, Title: w.Untitled,
		Name: w.line(c.Name), Headline: w.line(c.Headline), Location: w.line(c.Location),
		Contacts: contacts(c), Badges: badges(c, w), Profile: w.lines(profile(c)...),
		Skills: skills(c, w), Languages: w.list(c.Languages...), Personal: personal(c.Personal, w),
		PhotoOf: w.Photo, Certifications: entries(c.Certifications, w, certification), Sections: sections(c, w),
	}
	if v.Lang == "" {
		v.Lang = string(cv.English)
	}
	if c.Name != "" {
		v.Title, v.PhotoOf = fmt.Sprintf(w.Title, c.Name), fmt.Sprintf(w.PhotoOf, c.Name)
	}
	for _, h := range c.Highlights {
		v.Highlights = append(v.Highlights, w.labelled(h.Title, h.Text))
	}
	v.FootStart, v.FootEnd = w.foot(c.Name)
	return v
}

// profile returns the introductory paragraphs: those of the summary, and those of the bio that do
// not repeat them.
func profile(c cv.CV) []string {
	out := paragraphs(c.Summary)
	for _, p := range paragraphs(c.Bio) {
		if !slices.ContainsFunc(out, func(before string) bool { return strings.Contains(before, p) }) {
			out = append(out, p)
		}
	}
	return out
}

// sections returns the sections that have entries.
func sections(c cv.CV, w *words) []section {
	all := []section{
		{w.Experience, entries(c.Experiences, w, experience)},
		{w.Projects, entries(c.Projects, w, project)},
		{w.Education, entries(c.Educations, w, education)},
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

func experience(e cv.Experience, w *words) entry {
	title, company := e.Title, e.Company
	if title == "" {
		title, company = company, ""
	}
	return entry{
		Title: w.line(title), When: w.period(e.Start, e.End, e.Current),
		Facts:      w.dotted(company, e.Location, w.value(e.LocationType), w.value(e.EmploymentType)),
		Paragraphs: w.lines(paragraphs(e.Overview)...), Bullets: w.lines(present(e.Bullets...)...),
	}
}

func project(p cv.Project, w *words) entry {
	return entry{
		Title: w.line(p.Title), Paragraphs: w.lines(paragraphs(p.Text)...), Link: optional(p.Link),
		Tags: w.list(p.Technologies...),
	}
}

func education(e cv.Education, w *words) entry {
	title, school := strings.Join(present(e.Degree, e.Field), w.Comma), e.School
	if title == "" {
		title, school = school, ""
	}
	return entry{Title: w.line(title), Facts: w.list(school), When: w.period(e.Start, e.End, e.Start != "" && e.End == ""), Paragraphs: w.lines(paragraphs(e.Text)...)}
}

func certification(c cv.Certification, w *words) certificate {
	expires := ""
	if c.Expires != "" {
		expires = w.Expires + w.Colon + w.date(c.Expires, false)
	}
	return certificate{
		Label: w.part(c.Name), Comma: w.Comma, Facts: w.list(c.Issuer, w.date(c.Issued, false), expires), Link: optional(c.URL),
	}
}

func badges(c cv.CV, w *words) []string {
	var out []string
	if c.UAEPassVerified {
		out = append(out, w.Verified)
	}
	if c.OpenToWork {
		out = append(out, w.OpenToWork)
	}
	return out
}

// skills returns the groups of skills, followed by the skills without a group.
func skills(c cv.CV, w *words) []labelled {
	var out []labelled
	grouped := map[string]bool{}
	for _, g := range c.SkillGroups {
		items := present(g.Items...)
		for _, i := range items {
			grouped[i] = true
		}
		if len(items) > 0 {
			out = append(out, w.labelled(g.Category, items...))
		}
	}
	rest := slices.DeleteFunc(present(c.Skills...), func(s string) bool { return grouped[s] })
	if len(rest) > 0 {
		label := ""
		if len(out) > 0 {
			label = w.Other
		}
		out = append(out, w.labelled(label, rest...))
	}
	return out
}

func personal(p cv.Personal, w *words) []labelled {
	values := [8]string{
		w.date(p.DateOfBirth, true), w.value(p.Gender), w.value(p.MaritalStatus), p.Nationality,
		p.Residence, p.VisaResidency, w.value(p.NationalService), p.Dependents,
	}
	var out []labelled
	for i, v := range values {
		if v != "" {
			out = append(out, w.labelled(w.personal[i], v))
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

// present returns the trimmed texts that are not blank, in a new slice.
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
