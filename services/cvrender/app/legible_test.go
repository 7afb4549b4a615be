package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/legible"
	"vitae.internal/services/cvrender/internal/sample"
	"vitae.internal/services/cvrender/internal/template"
)

// templates are the templates as callers name them.
var templates = map[template.Name]cvrenderv1.CvTemplate{
	template.Classic: cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC,
	template.Compact: cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT,
}

// TestEveryProgramReadsWhatTheCVSays holds that the text which programs read from a PDF
// differs from the CV's in at most 2 of 100 characters, and has the person's name
// (behaviour: pdf#text-that-programs-read).
func TestEveryProgramReadsWhatTheCVSays(t *testing.T) {
	r := newRig(t, nil)
	layout, err := template.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range append(demo(t), sample.Senior(), sample.Arabic(), sample.Mixed(), sample.Hard()) {
		for name, number := range templates {
			source, err := layout.HTML(c, name, nil)
			if err != nil {
				t.Fatal(err)
			}
			said, err := legible.Source(source)
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.tryRender(t.Context(), &cvrenderv1.RenderCvRequest{Cv: projection(c), Share: "person", Template: number})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "cv.pdf")
			if err := os.WriteFile(path, d.file, 0o600); err != nil {
				t.Fatal(err)
			}
			for program, read := range legible.Readers {
				t.Run(string(name)+" "+c.Name+" "+program, func(t *testing.T) {
					compare(t, c.Name, said, path, read)
				})
			}
		}
	}
}

// mostWrong is how many of 100 characters a program may read wrong.
const mostWrong = 2

func compare(t *testing.T, name, said, path string, read func(context.Context, string) (string, error)) {
	t.Helper()
	text, err := read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	got, want := legible.Normal(text), legible.Normal(said)
	if !strings.Contains(got, legible.Normal(name)) {
		t.Errorf("the name is not found")
	}
	got, want = legible.WithoutFeet(got, name), legible.WithoutFeet(want, name)
	wrong := 100 * float64(legible.Errors(got, want)) / float64(len([]rune(want)))
	t.Logf("%.1f %% of %d characters are wrong", wrong, len([]rune(want)))
	if wrong > mostWrong {
		t.Errorf("%.1f %% of the characters are wrong\n%s\nwant\n%s", wrong, got, want)
	}
}
