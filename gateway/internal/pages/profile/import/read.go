package cvimport

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Limits on a file. Even the largest CV that can be stored stays below both.
const (
	// MaxText is the maximum size, in bytes, of a file that is not an archive.
	MaxText  = 1 << 20
	maxDepth = 40
	maxNodes = 50_000
	// maxPath is the maximum length of a path in the file, in bytes.
	maxPath = 500
	// maxEntries is the maximum number of entries in all lists of a CV together, because they are rendered as
	// a form. The candidate service allows fewer.
	maxEntries = 1000
	// maxLeft and maxLeftBytes limit how many of the strings that could not be imported are listed.
	maxLeft      = 200
	maxLeftBytes = 256 << 10
)

// tooLarge returns the error for a file with too many or too deeply nested nodes. It includes the beginning
// of the path at which the limit was exceeded.
func tooLarge(path string) error {
	return &Unreadable{Reason: ReasonLarge, Where: strings.ToValidUTF8(path[:min(len(path), maxPath)], "")}
}

// Reasons why a file cannot be read.
const (
	// ReasonEmpty is for a missing or empty file.
	ReasonEmpty = "empty"
	// ReasonBytes is for a file larger than MaxText.
	ReasonBytes = "bytes"
	// ReasonUnknown is for a file in an unknown format.
	ReasonUnknown = "unknown"
	// ReasonBroken is for a file with invalid JSON or XML.
	ReasonBroken = "broken"
	// ReasonPDF is for a PDF without embedded Europass XML.
	ReasonPDF = "pdf"
	// ReasonEncoding is for a file that is not text in UTF-8, UTF-16 or its declared encoding.
	ReasonEncoding = "encoding"
	// ReasonDoctype is for an XML file with a document type declaration, which could define entities.
	ReasonDoctype = "doctype"
	// ReasonLarge is for a file with too many or too deeply nested parts.
	ReasonLarge = "large"
	// ReasonEntries is for a file with too many entries for a CV.
	ReasonEntries = "entries"
)

// Unreadable is the error for a file that cannot be read.
type Unreadable struct {
	// Reason is one of the Reason constants.
	Reason string
	// Where is the line number ("12"), or the path of a node ("work[3].position"). It is "" if the error
	// concerns the whole file.
	Where string
}

func (u *Unreadable) Error() string { return "cvimport: " + u.Reason + " at " + u.Where }

// Left is a string in the file that no field of a CV can hold.
type Left struct {
	// Path is the path of the string in the file, for example "work[0].url".
	Path string
	// Text is the string itself.
	Text string
}

// CV is the CV that was read from a file.
type CV struct {
	// Title is a suggested title, or "" if the file contains none.
	Title   string
	Content *candidatev1.CvContent
	// Person holds the details about the person that the profile can store: name, headline, phone and
	// address.
	Person *candidatev1.Profile
	// Emails are the person's email addresses. They are not listed in Left.
	Emails []string
	// Left lists the first strings that could not be imported, in the order of the file.
	Left []Left
	// More is the number of further such strings that are not in Left.
	More int

	leftBytes int
	// links counts the links to each platform.
	links map[string]int
}

// Read reads a file in any of the formats. From a Europass PDF, it reads the embedded XML. A file that is not
// an archive may be at most MaxText bytes long. Read returns *Unreadable if the file cannot be read, or
// ctx.Err() if ctx is canceled.
func Read(ctx context.Context, file []byte) (CV, error) {
	if isZIP(file) {
		root, err := unpack(ctx, file)
		if err != nil {
			return CV{}, err
		}
		return finish(root, inJSON, fromLinkedIn)
	}
	if len(file) > MaxText {
		return CV{}, &Unreadable{Reason: ReasonBytes}
	}
	if bytes.HasPrefix(bytes.TrimSpace(file[:min(len(file), 1<<10)]), []byte("%PDF-")) {
		var err error
		if file, err = embedded(ctx, file); err != nil {
			return CV{}, fmt.Errorf("cvimport: %w", err)
		}
		if file == nil {
			return CV{}, &Unreadable{Reason: ReasonPDF}
		}
	}
	file, isText := inUTF8(file)
	if !isText {
		return CV{}, &Unreadable{Reason: ReasonEncoding}
	}
	text := bytes.TrimSpace(file)
	if len(text) == 0 {
		return CV{}, &Unreadable{Reason: ReasonEmpty}
	}
	switch text[0] {
	case '{':
		root, err := parseJSON(ctx, file)
		if err != nil {
			return CV{}, err
		}
		return finish(root, inJSON, fromJSONResume)
	case '<':
		root, err := parseXML(ctx, file)
		if err != nil {
			return CV{}, err
		}
		switch root.name {
		case "Candidate":
			return finish(root, inXML, fromCandidate)
		case "SkillsPassport":
			return finish(root, inXML, fromSkillsPassport)
		}
	}
	return CV{}, &Unreadable{Reason: ReasonUnknown}
}

// finish builds a CV from a tree, and lists the strings that were not taken.
func finish(root *node, separator string, place func(*node, *CV) bool) (CV, error) {
	cv := CV{Content: &candidatev1.CvContent{}, Person: &candidatev1.Profile{}, links: map[string]int{}}
	if !place(root, &cv) {
		return CV{}, &Unreadable{Reason: ReasonUnknown}
	}
	if entriesOf(cv.Content) > maxEntries {
		return CV{}, &Unreadable{Reason: ReasonEntries}
	}
	root.left(&cv, separator)
	return cv, nil
}

// entriesOf returns the number of entries in all lists together.
func entriesOf(c *candidatev1.CvContent) int {
	return len(c.GetSocials()) + len(c.GetSkillGroups()) + len(c.GetHighlights()) + len(c.GetExperiences()) +
		len(c.GetEducations()) + len(c.GetCertifications()) + len(c.GetProjects())
}
