package cvimport

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/pages/profile/form"
	"vitae.internal/pkg/pasted"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

const (
	// maxCSV is the maximum unpacked size, in bytes, of a file in an export.
	maxCSV = 1 << 20
	// maxFiles is the maximum number of files in an archive. An export has a few dozen.
	maxFiles = 1000
)

// fileHeader is the signature of each file's entry in the directory of a ZIP archive.
var fileHeader = []byte("PK\x01\x02")

// linkedInFiles are the files of LinkedIn's data export that contain CV data. Other files, such as messages,
// contacts and advertisements, are not read.
var linkedInFiles = map[string]bool{
	"Profile": true, "Positions": true, "Education": true, "Skills": true, "Languages": true, "Certifications": true, "Projects": true,
	"Publications": true, "Honors": true, "Volunteering": true, "PhoneNumbers": true, "Email Addresses": true, "Courses": true,
	"Organizations": true, "Patents": true, "Test Scores": true, "TestScores": true,
}

// isZIP reports whether a file is a ZIP archive.
func isZIP(file []byte) bool { return bytes.HasPrefix(file, []byte("PK\x03\x04")) }

// unpack reads the tables of LinkedIn's data export. Each row becomes a child of the root, named after its
// file, and has a child for each column.
func unpack(ctx context.Context, file []byte) (*node, error) {
	// NewReader allocates a zip.File for each entry, and 228,000 entries fit in 10 MiB.
	if bytes.Count(file, fileHeader) > maxFiles {
		return nil, tooLarge(".zip")
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, &Unreadable{Reason: ReasonUnknown}
	}
	root, seen, nodes := &node{index: -1, taken: true}, map[string]bool{}, 0
	for _, f := range archive.File {
		name, isTable := strings.CutSuffix(path.Base(f.Name), ".csv")
		if !isTable || !linkedInFiles[name] || seen[name] {
			continue
		}
		seen[name] = true
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows, err := table(f)
		if err != nil {
			return nil, err
		}
		for i, row := range rows[min(1, len(rows)):] {
			n := &node{name: name, index: i, taken: true}
			root.add(n)
			for k, text := range row {
				if nodes++; nodes > maxNodes {
					return nil, tooLarge(n.path(inJSON))
				}
				if k < len(rows[0]) && len(rows[0][k]) < maxPath/2 {
					n.add(&node{name: strings.TrimSpace(rows[0][k]), index: -1, text: strings.TrimSpace(pasted.Text(text))})
				}
			}
		}
	}
	return root, nil
}

// table reads a file of comma-separated values (RFC 4180). It returns *Unreadable if the file is invalid.
func table(f *zip.File) ([][]string, error) {
	content, err := f.Open()
	if err != nil {
		return nil, &Unreadable{Reason: ReasonUnknown}
	}
	defer content.Close()
	raw, err := io.ReadAll(io.LimitReader(content, maxCSV+1))
	switch {
	case err != nil:
		return nil, &Unreadable{Reason: ReasonUnknown}
	case len(raw) > maxCSV:
		return nil, tooLarge(path.Base(f.Name))
	}
	text, ok := inUTF8(raw)
	if !ok {
		return nil, &Unreadable{Reason: ReasonEncoding}
	}
	// Each cell ends at a comma, at a line end or at the end of the file. Counting these limits the number of
	// rows, and of cells in a single row, before the reader allocates any.
	if bytes.Count(text, []byte(","))+bytes.Count(text, []byte("\n")) > maxNodes {
		return nil, tooLarge(path.Base(f.Name))
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	rows, err := r.ReadAll()
	if broken := (*csv.ParseError)(nil); errors.As(err, &broken) {
		return nil, &Unreadable{Reason: ReasonBroken, Where: strconv.Itoa(broken.Line)}
	}
	return rows, err
}

// fromLinkedIn reads the tables of an export. It returns false if none is present.
func fromLinkedIn(root *node, cv *CV) bool {
	c := cv.Content
	linkedInPerson(root, cv)
	for _, file := range []struct{ name, title, employment string }{{"Positions", "Title", ""}, {"Volunteering", "Role", "volunteer"}} {
		for _, n := range root.all(file.name) {
			from, to := linkedInPeriod(n)
			c.Experiences = append(c.Experiences, &cvv1.Experience{
				Title: n.take(file.title), Company: n.take("Company Name"), Location: text(n.take("Location")), EmploymentType: text(file.employment),
				StartDate: text(from), EndDate: text(to), Current: from != "" && to == "", Overview: text(n.take("Description")),
			})
		}
	}
	for _, n := range root.all("Education") {
		activities := n.take("Activities")
		c.Educations = append(c.Educations, &cvv1.Education{
			School: n.take("School Name"), Degree: text(n.take("Degree Name")), StartDate: text(form.DateOf(n.take("Start Date"))),
			EndDate: text(form.DateOf(n.take("End Date"))), Description: text(joined("\n", n.take("Notes"), labelsFor(activities).labeled("Activities", activities))),
		})
	}
	for _, n := range root.all("Certifications") {
		from, to := linkedInPeriod(n)
		c.Certifications = append(c.Certifications, &cvv1.Certification{
			Name: n.take("Name"), Issuer: n.take("Authority"), IssueDate: text(from), ExpirationDate: text(to), CredentialUrl: text(n.take("Url")),
		})
	}
	for _, n := range root.all("Projects") {
		dates := joined(" – ", n.take("Started On"), n.take("Finished On")) // as LinkedIn writes them: Sep 2025
		c.Projects = append(c.Projects, &cvv1.Project{
			Title: n.take("Title"), Description: text(joined("\n", dates, n.take("Description"))), Link: text(n.take("Url")),
		})
	}
	for _, n := range root.all("Publications") {
		c.Projects = append(c.Projects, &cvv1.Project{
			Title: n.take("Name"), Description: text(joined("\n", joined(", ", n.take("Publisher"), n.take("Published On")), n.take("Description"))), Link: text(n.take("Url")),
		})
	}
	for _, n := range root.all("Honors") {
		c.Highlights = append(c.Highlights, &cvv1.Highlight{Title: n.take("Title"), Desc: joined("\n", n.take("Issued On"), n.take("Description"))})
	}
	for _, n := range root.all("Courses") {
		if name := n.take("Name"); name != "" {
			c.Highlights = append(c.Highlights, &cvv1.Highlight{Title: labelsFor(name).labeled("Course", name), Desc: n.take("Number")})
		}
	}
	for _, n := range root.all("Organizations") {
		if name := n.take("Name"); name != "" {
			when := joined(" – ", n.take("Started On"), n.take("Finished On"))
			c.Highlights = append(c.Highlights, &cvv1.Highlight{
				Title: labelsFor(name).labeled("Membership", name), Desc: joined("\n", joined(", ", n.take("Position"), when), n.take("Description")),
			})
		}
	}
	for _, n := range root.all("Skills") {
		c.Skills = append(c.Skills, nonEmpty(n.take("Name"))...)
	}
	for _, n := range root.all("Languages") {
		level := strings.ToLower(strings.TrimSuffix(n.take("Proficiency"), " proficiency"))
		c.Languages = append(c.Languages, nonEmpty(withLevel(n.take("Name"), level))...)
	}
	return len(root.parts) > 0
}

// linkedInPerson reads the profile, phone number and email addresses.
func linkedInPerson(root *node, cv *CV) {
	for _, n := range root.all("Profile") {
		cv.Content.Summary, cv.Content.Location = n.take("Summary"), n.take("Geo Location")
		cv.Person = &candidatev1.Profile{
			Name: joined(" ", n.take("First Name"), n.take("Last Name")), Headline: n.take("Headline"),
			Address: joined(", ", n.take("Address"), n.take("Zip Code")),
		}
		// [PORTFOLIO:https://a.example,BLOG:https://b.example]
		for site := range strings.SplitSeq(strings.Trim(n.take("Websites"), "[]"), ",") {
			if label, address, ok := strings.Cut(site, ":"); ok && !strings.HasPrefix(address, "//") {
				addSocial(cv, label, address)
			} else if site != "" {
				addSocial(cv, "", site)
			}
		}
	}
	for _, n := range root.all("PhoneNumbers") {
		n.drop("Type")
		if phone := joined(" ", n.take("Extension"), n.take("Number")); cv.Person.GetPhone() == "" {
			cv.Person.Phone = phone
		} else {
			n.list("PhoneNumbers", phone)
		}
	}
	for _, n := range root.all("Email Addresses") {
		cv.Emails = append(cv.Emails, nonEmpty(n.take("Email Address"))...)
		n.drop("Confirmed")
		n.drop("Primary")
		n.drop("Updated On")
	}
}

// linkedInPeriod takes the dates of a row.
func linkedInPeriod(n *node) (from, to string) {
	return form.DateOf(n.take("Started On")), form.DateOf(n.take("Finished On"))
}
