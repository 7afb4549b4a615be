//go:build !nobrowser

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/cvtest"
	"vitae.internal/services/cvrender/internal/pdftest"
	"vitae.internal/services/cvrender/internal/template"
)

// templates maps each template to its name in requests.
var templates = map[template.Name]cvrenderv1.CvTemplate{
	template.Classic: cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC,
	template.Compact: cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT,
}

// TestEveryReaderExtractsText checks that common PDF readers extract the text of a PDF with at most 2
// wrong characters in 100, and that they extract the person's name (behaviour: pdf#text-extraction).
func TestEveryReaderExtractsText(t *testing.T) {
	r := sharedRig(t)
	layout, err := template.New()
	if err != nil {
		t.Fatal(err)
	}
	var documents []reading
	var files []string
	for _, c := range append(demo(t), cvtest.Senior(), cvtest.Arabic(), cvtest.Mixed(), cvtest.Hard()) {
		for name, number := range templates {
			source, err := layout.HTML(c, name, nil)
			if err != nil {
				t.Fatal(err)
			}
			said, err := pdftest.Source(source)
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, reading{template: name, name: c.GetDocument().GetName(), said: said})
			files = append(files, filepath.Join(t.TempDir(), "cv.pdf"))
			if err := os.WriteFile(files[len(files)-1], r.renderIn(t, c, number).file, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for program, read := range pdftest.Readers {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			texts, err := read(t.Context(), files)
			if err != nil {
				t.Fatal(err)
			}
			if len(texts) != len(documents) {
				t.Fatalf("got %d texts from %d files", len(texts), len(documents))
			}
			for i, d := range documents {
				d.compare(t, texts[i])
			}
		})
	}
}

// mostWrong is the maximum percentage of characters that a reader may get wrong.
const mostWrong = 2

// reading is a document to be read, together with its expected text.
type reading struct {
	template template.Name
	name     string
	said     string
}

func (d reading) compare(t *testing.T, text string) {
	t.Helper()
	got, want := pdftest.Normal(text), pdftest.Normal(d.said)
	if !strings.Contains(got, pdftest.Normal(d.name)) {
		t.Errorf("%s, %s: the name is not found", d.template, d.name)
	}
	got, want = pdftest.WithoutFeet(got, d.name), pdftest.WithoutFeet(want, d.name)
	wrong := 100 * float64(pdftest.Errors(got, want)) / float64(len([]rune(want)))
	t.Logf("%s, %s: %.1f %% of %d characters are wrong", d.template, d.name, wrong, len([]rune(want)))
	if wrong > mostWrong {
		t.Errorf("%s, %s: %.1f %% of the characters are wrong\n%s\nwant\n%s", d.template, d.name, wrong, got, want)
	}
}
