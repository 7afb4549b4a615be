package cvimport

import (
	"bytes"
	"strings"
	"unicode/utf8"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Bounds of a file. A CV of the largest size that can be stored has fewer of both.
const (
	maxDepth = 40
	maxNodes = 50_000
	// maxPath bounds the path of a part, in bytes. Every part keeps its own, so a long name
	// would be kept as often as there are parts.
	maxPath = 500
)

// tooLarge is the refusal of a file at a path, of which it gives the beginning.
func tooLarge(path string) error {
	return &Unreadable{Reason: ReasonLarge, Where: strings.ToValidUTF8(path[:min(len(path), maxPath)], "")}
}

// Reasons for which a file cannot be read.
const (
	// ReasonEmpty is a file without content, or no file.
	ReasonEmpty = "empty"
	// ReasonUnknown is a file of none of the formats.
	ReasonUnknown = "unknown"
	// ReasonBroken is a file that breaks the rules of JSON or XML.
	ReasonBroken = "broken"
	// ReasonEncoding is a file whose text is not UTF-8.
	ReasonEncoding = "encoding"
	// ReasonDoctype is an XML file with a document type declaration, which could define
	// entities.
	ReasonDoctype = "doctype"
	// ReasonLarge is a file with too many or too deeply nested parts.
	ReasonLarge = "large"
)

// Unreadable is the error of a file that cannot be read.
type Unreadable struct {
	// Reason is one of the constants.
	Reason string
	// Where is the line ("12"), or the path of the part ("work[3].position"); "" if it is the
	// file as a whole.
	Where string
}

// Error implements error.
func (u *Unreadable) Error() string { return "cvimport: " + u.Reason + " at " + u.Where }

// Left is a text of the file that has no place in a CV.
type Left struct {
	// Path of the text in the file, for example "work[0].url".
	Path string
	// Text is what stands there.
	Text string
}

// CV is what was read.
type CV struct {
	// Title is a proposal for the title, "" if the file has nothing for it.
	Title   string
	Content *candidatev1.CvContent
	// Left is what has no place, in the order of the file.
	Left []Left
}

// Read reads a file of any of the formats. Errors: *Unreadable.
func Read(file []byte) (CV, error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	text := bytes.TrimSpace(file)
	if len(text) == 0 {
		return CV{}, &Unreadable{Reason: ReasonEmpty}
	}
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
		return CV{}, &Unreadable{Reason: ReasonEncoding}
	}
	switch text[0] {
	case '{':
		root, err := parseJSON(file)
		if err != nil {
			return CV{}, err
		}
		return finish(root, fromJSONResume)
	case '<':
		root, err := parseXML(file)
		if err != nil {
			return CV{}, err
		}
		switch root.name {
		case "Candidate":
			return finish(root, fromCandidate)
		case "SkillsPassport":
			return finish(root, fromSkillsPassport)
		}
	}
	return CV{}, &Unreadable{Reason: ReasonUnknown}
}

// finish reads a CV out of a tree, and lists what is left of it.
func finish(root *node, place func(*node, *CV) bool) (CV, error) {
	cv := CV{Content: &candidatev1.CvContent{}}
	if !place(root, &cv) {
		return CV{}, &Unreadable{Reason: ReasonUnknown}
	}
	cv.Left = root.left(nil)
	return cv, nil
}
