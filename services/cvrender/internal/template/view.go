package template

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"vitae.internal/services/cvrender/internal/cv"
)

// view is the data of the template. All texts are chosen; the template only places them.
type view struct {
	Lang  string
	Title string
	W     *words
	Style template.CSS
	Photo template.URL

	Name, Headline, Location string
	Contacts                 []link
	Badges                   []string
	Summary, Bio             []string

	Highlights []labelled
	Sections   []section
	Skills     []labelled
	Languages  []string
	Personal   []labelled
}

// section is entries under a heading.
type section struct {
	Heading string
	Entries []entry
}

// entry is an item with a heading. Nothing in it stands at the far end of a line: programs
// that read PDFs would take that for another column.
type entry struct {
	Title string
	// Place comes first in the line below, in a darker colour than the rest.
	Place string
	When  string
	Facts []string
	// Paragraphs come before Bullets.
	Paragraphs, Bullets []string
	Tags                list
	Link                *link
}

// labelled is a label and a list behind it, with Colon between them.
type labelled struct {
	Label, Colon string
	list
}

func (w *words) labelled(label string, items ...string) labelled {
	l := labelled{Label: label, list: w.list(items...)}
	if label != "" && len(l.Items) > 0 {
		l.Colon = w.Colon
	}
	return l
}

func newView(c cv.CV) view {
	w := wordsOf(c.Language)
	v := view{
		Lang: string(c.Language), W: w, Title: w.Untitled,
		Name: c.Name, Headline: c.Headline, Location: c.Location,
		Contacts: contacts(c), Badges: badges(c, w),
		Summary: paragraphs(c.Summary),
		Skills:  skills(c, w), Languages: present(c.Languages...), Personal: personal(c.Personal, w),
	}
	if c.Name != "" {
		v.Title = fmt.Sprintf(w.Title, c.Name)
	}
	if strings.TrimSpace(c.Bio) != strings.TrimSpace(c.Summary) {
		v.Bio = paragraphs(c.Bio)
	}
	for _, h := range c.Highlights {
		v.Highlights = append(v.Highlights, w.labelled(h.Title, h.Text))
	}
	v.Sections = sections(c, w)
	return v
}

// sections gives the sections that consist of entries, without empty ones.
func sections(c cv.CV, w *words) []section {
	all := []section{
		{w.Experience, entries(c.Experiences, w, experience)},
		{w.Projects, entries(c.Projects, w, project)},
		{w.Education, entries(c.Educations, w, education)},
		{w.Certifications, entries(c.Certifications, w, certification)},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.Entries) == 0 })
}

func entries[T any](items []T, w *words, show func(T, *words) entry) []entry {
	var out []entry
	for _, item := range items {
		out = append(out, show(item, w))
	}
	return out
}

func experience(e cv.Experience, w *words) entry {
	out := entry{
		Title: e.Title, When: w.period(e.Start, e.End, e.Current), Place: e.Company,
		Facts:      present(e.Location, w.value(e.LocationType), w.value(e.EmploymentType)),
		Paragraphs: paragraphs(e.Overview), Bullets: present(e.Bullets...),
	}
	if out.Title == "" {
		out.Title, out.Place = out.Place, ""
	}
	return out
}

func project(p cv.Project, w *words) entry {
	return entry{
		Title: p.Title, Paragraphs: paragraphs(p.Text), Link: optional(p.Link),
		Tags: w.list(p.Technologies...),
	}
}

func education(e cv.Education, w *words) entry {
	title := strings.Join(present(e.Degree, e.Field), w.Comma)
	out := entry{Title: title, Place: e.School, When: w.period(e.Start, e.End, false), Paragraphs: paragraphs(e.Text)}
	if title == "" {
		out.Title, out.Place = e.School, ""
	}
	return out
}

func certification(c cv.Certification, w *words) entry {
	out := entry{Title: c.Name, Place: c.Issuer, When: w.date(c.Issued, false), Link: optional(c.URL)}
	if c.Expires != "" {
		out.Facts = []string{w.Expires + w.Colon + w.date(c.Expires, false)}
	}
	return out
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

// skills gives the groups of skills, and then the skills that are in no group.
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

// present gives the texts that are not blank, trimmed, in a new slice.
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
