package world

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"math/rand/v2"
	"testing"
)

// Application is a person's application for a job.
type Application struct {
	Ref         string   `json:"ref"`
	Job         string   `json:"job"`
	Person      string   `json:"person"`
	CV          string   `json:"cv,omitempty"`
	Resume      *Resume  `json:"resume,omitempty"`
	CoverLetter string   `json:"coverLetter,omitempty"`
	Answers     []Answer `json:"answers,omitempty"`
	Source      string   `json:"source,omitempty"`
	Stages      []string `json:"stages,omitempty"`
	AppliedAt   string   `json:"appliedAt,omitempty"`
}

// Answer is the answer to the job's question at an index.
type Answer struct {
	Question int `json:"question"`
	Value    any `json:"value"`
}

// Resume is an uploaded file.
type Resume struct {
	Filename    string `json:"filename"`
	ContentType string `json:"contentType"`
	// Content is encoded in base64.
	Content []byte `json:"contentBase64"`
}

// AppliedAt is the time of the first application in Applicants.
const AppliedAt = "2026-01-02T03:04:05.678Z"

// ResumeFile is the resume of the last application in Applicants. Its first bytes identify it as a PDF.
var ResumeFile = []byte("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n\x00\xff binary")

// Applicants returns a world in which the app "ats" has a job with every field and three applications. They are
// "main" with the main CV, "other" with an additional CV, and "file" with a resume.
func Applicants() World {
	main, other := Full(), Full()
	other.Ref, other.CVs[0].Ref = "noura", "noura-arabic"
	return World{
		People:    []Person{main, other, Bare()},
		Companies: []Fields{Company().With("ref", "com").With("app", "ats")},
		Jobs:      []Fields{FullJob().With("ref", "job").With("company", "com")},
		Applications: []Application{
			{
				Ref: "main", Job: "job", Person: "layla", CV: "master", CoverLetter: "Dear all,\nhire me.", Answers: allAnswers(),
				Source: "public_page", Stages: []string{"reviewed", "interview"}, AppliedAt: AppliedAt,
			},
			{Ref: "other", Job: "job", Person: "noura", CV: "noura-arabic", Answers: requiredAnswers(), Source: "public_new_user"},
			{
				Ref: "file", Job: "job", Person: "bare", Answers: requiredAnswers(),
				Resume: &Resume{Filename: "سيرة Omar's CV.pdf", ContentType: "application/pdf", Content: ResumeFile},
			},
		},
	}
}

// allAnswers returns answers to all Questions.
func allAnswers() []Answer {
	return []Answer{{Question: 0, Value: true}, {Question: 1, Value: "Night"}, {Question: 2, Value: "شهر واحد"}, {Question: 3, Value: "Because.\nTruly."}, {Question: 4, Value: 7.5}}
}

// requiredAnswers returns answers to the required Questions, in a different order.
func requiredAnswers() []Answer {
	return []Answer{{Question: 4, Value: 0}, {Question: 0, Value: false}, {Question: 1, Value: "Day"}}
}

// InlinePhoto returns a square photo as a data URL. Its random pixels do not compress: a photo of 150 ×
// 150 pixels takes about 120 kB.
func InlinePhoto(t testing.TB, side int) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = byte(rand.Uint32())
	}
	var raw bytes.Buffer
	if err := png.Encode(&raw, img); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(raw.Bytes())
}
