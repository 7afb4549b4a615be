package cvimport

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Bounds of a file. A CV of the largest size that can be stored has fewer of both.
const (
	// MaxText is the largest file that is no archive, in bytes.
	MaxText  = 1 << 20
	maxDepth = 40
	maxNodes = 50_000
	// maxPath bounds the path of a part, in bytes.
	maxPath = 500
	// maxEntries bounds the entries of all lists of a CV together, which are drawn as a form.
	// candidate allows fewer.
	maxEntries = 1000
	// maxLeft and maxLeftBytes bound the texts without a place that are listed.
	maxLeft      = 200
	maxLeftBytes = 256 << 10
)

// tooLarge returns the refusal of a file, with the beginning of the path at fault.
func tooLarge(path string) error {
	return &Unreadable{Reason: ReasonLarge, Where: strings.ToValidUTF8(path[:min(len(path), maxPath)], "")}
}

// Reasons for which a file cannot be read.
const (
	// ReasonEmpty is a file without content, or no file.
	ReasonEmpty = "empty"
	// ReasonBytes is a file that is larger than MaxText.
	ReasonBytes = "bytes"
	// ReasonUnknown is a file of none of the formats.
	ReasonUnknown = "unknown"
	// ReasonBroken is a file that breaks the rules of JSON or XML.
	ReasonBroken = "broken"
	// ReasonPDF is a PDF without XML of Europass in it.
	ReasonPDF = "pdf"
	// ReasonEncoding is a file that is no text in UTF-8, UTF-16 or the encoding that it names.
	ReasonEncoding = "encoding"
	// ReasonDoctype is an XML file with a document type declaration, which could define
	// entities.
	ReasonDoctype = "doctype"
	// ReasonLarge is a file with too many or too deeply nested parts.
	ReasonLarge = "large"
	// ReasonEntries is a file with too many entries for a CV.
	ReasonEntries = "entries"
)

// Unreadable is the error of a file that cannot be read.
type Unreadable struct {
	// Reason is one of the constants.
	Reason string
	// Where is the line ("12"), or the path of the part ("work[3].position"); "" if it is the
	// file as a whole.
	Where string
}

func (u *Unreadable) Error() string { return "cvimport: " + u.Reason + " at " + u.Where }

// Left is a text of the file that has no place in a CV.
type Left struct {
	// Path of the text in the file, for example "work[0].url".
	Path string
	// Text is the content.
	Text string
}

// CV is what was read.
type CV struct {
	// Title is a proposal for the title, "" if the file has nothing for it.
	Title   string
	Content *candidatev1.CvContent
	// Person has what the file contains about the person and the profile can store: name, headline, phone
	// and address.
	Person *candidatev1.Profile
	// Emails are the person's email addresses. They are not among Left.
	Emails []string
	// Left is the beginning of the texts that have no place, in the order of the file.
	Left []Left
	// More is how many further texts have no place.
	More int

	leftBytes int
	// links counts the links of each platform.
	links map[string]int
}

// Read reads a file in any of the formats; from a Europass PDF it reads the embedded XML. Files other than
// archives may have up to MaxText bytes. Errors: *Unreadable; that of ctx if it ends first.
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

// finish reads a CV out of a tree, and lists what is left of it.
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

// entriesOf counts the entries of all lists.
func entriesOf(c *candidatev1.CvContent) int {
	return len(c.GetSocials()) + len(c.GetSkillGroups()) + len(c.GetHighlights()) + len(c.GetExperiences()) +
		len(c.GetEducations()) + len(c.GetCertifications()) + len(c.GetProjects())
}
