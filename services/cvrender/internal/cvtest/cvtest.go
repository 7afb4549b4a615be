// Package cvtest holds fictional CVs for tests and benchmarks. Some are short and some are long; some are
// English, some Arabic and some mixed. The files have the format of the partner API's response.
package cvtest

import (
	"embed"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

//go:embed cvs/*.json
var files embed.FS

func read(name string) *cvv1.SharedCv {
	raw, err := files.ReadFile("cvs/" + name + ".json")
	cv := &cvv1.SharedCv{}
	if err == nil {
		err = protojson.Unmarshal(raw, cv)
	}
	if err != nil {
		panic(fmt.Sprintf("cvtest: %s: %v", name, err)) // the files are embedded
	}
	return cv
}

// Senior returns a long English CV with every field. Junior returns a short English CV without contact
// details.
func Senior() *cvv1.SharedCv { return read("senior") }
func Junior() *cvv1.SharedCv { return read("junior") }

// Arabic returns an Arabic CV with every field.
func Arabic() *cvv1.SharedCv { return read("arabic") }

// Mixed returns an English CV with Arabic names and text. Both returns an Arabic CV with English text.
func Mixed() *cvv1.SharedCv { return read("mixed") }
func Both() *cvv1.SharedCv  { return read("both") }

// Hard returns an Arabic CV with text that is difficult for PDF readers. It contains vowel marks, both kinds
// of digits, brackets, all forms of lam-alef, and words longer than a line. Some sentences contain Latin
// names and URLs.
func Hard() *cvv1.SharedCv { return read("hard") }

// Wide returns an English CV with text that is too wide for a line: a name, a headline, URLs, a title next to
// its dates, and a word. One of its jobs has no dates, and one has only a title.
func Wide() *cvv1.SharedCv { return read("wide") }

// Veteran returns Senior with so many positions that it takes about six pages. LongArabic is about as long.
func Veteran() *cvv1.SharedCv    { return longer(Senior(), 4) }
func LongArabic() *cvv1.SharedCv { return longer(Arabic(), 5) }

func longer(cv *cvv1.SharedCv, times int) *cvv1.SharedCv {
	first := cv.GetDocument().GetExperiences()
	for range times {
		for _, e := range first {
			cv.Document.Experiences = append(cv.Document.Experiences, proto.CloneOf(e))
		}
	}
	return cv
}
