package search

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var index = New([]Entry{
	{Path: "/limits#headers", Title: "Limits", Heading: "Headers", Text: "Every answer carries X-RateLimit-Remaining & X-RateLimit-Reset for the minute."},
	{Path: "/limits", Title: "Limits", Text: "How often you may ask. Publishing a job counts once."},
	{Path: "/publish", Title: "Publish a job", Text: "POST /v1/jobs/{jobId}/publish makes a draft live."},
	{Path: "/errors/JOB_NOT_FOUND", Title: "JOB_NOT_FOUND", Text: "There is no job with this id."},
	{Path: "/jobs#publish", Title: "Your first job", Heading: "Publish it", Text: "One more call."},
})

func TestBestMatchIsFirst(t *testing.T) {
	for query, want := range map[string]string{
		"publish a job":              "/publish /jobs#publish /limits",
		"job_not_found":              "/errors/JOB_NOT_FOUND",
		"x-ratelimit-remaining":      "/limits#headers",
		"/v1/jobs/{jobId}/publish":   "/publish",
		"limits":                     "/limits /limits#headers",
		"  HEADERS ":                 "/limits#headers",
		"publish nothing-like-this":  "",
		"":                           "",
		"\xff":                       "",
		"a b c d e f g h and so on ": "",
	} {
		var paths []string
		for _, hit := range index.Find(query) {
			paths = append(paths, hit.Path)
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestSynonymsAreFound(t *testing.T) {
	for query, want := range map[string]string{
		"how to publish a job": "/publish /jobs#publish /limits", "vacancy": "/errors/JOB_NOT_FOUND /publish", "jobs": "/publish",
		"the": "/limits", "throttling": "/limits",
	} {
		var paths []string
		for _, hit := range index.Find(query) {
			paths = append(paths, hit.Path)
		}
		if got := strings.Join(paths, " "); !strings.Contains(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

func TestOnlyMatchingWordsAreMarked(t *testing.T) {
	hits := index.Find("X-rateLIMIT &")
	if len(hits) != 1 || !strings.Contains(string(hits[0].Extract), "<mark>X-RateLimit</mark>-Remaining <mark>&amp;</mark> <mark>X-RateLimit</mark>-Reset") {
		t.Errorf("the hits are %+v", hits)
	}
	if got := Mark("<b>", nil); got != "&lt;b&gt;" {
		t.Errorf("the extract is %s", got)
	}
}

func FuzzExtractIsPartOfText(f *testing.F) {
	f.Add("a é <b> İ b", "é")
	f.Fuzz(func(t *testing.T, text, query string) {
		text = strings.ToValidUTF8(strings.NewReplacer("\x00", "", "\r", "").Replace(text), "")
		for _, hit := range New([]Entry{{Title: text, Text: text}}).Find(query) {
			plain := html.UnescapeString(regexp.MustCompile("</?mark>").ReplaceAllString(string(hit.Extract), ""))
			plain = strings.TrimSuffix(strings.TrimPrefix(plain, "… "), " …")
			if !strings.Contains(text, plain) {
				t.Errorf("the extract %q is not part of %q", plain, text)
			}
		}
	})
}
