package pagestest

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// elements returns the elements of a page with the given tag name.
func (a Response) elements(name string) (all []*html.Node) {
	for n := range a.Root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			all = append(all, n)
		}
	}
	return all
}

// Elements returns the elements of a page with one of the given tag names.
func (a Response) Elements(names ...string) (all []*html.Node) {
	for _, name := range names {
		all = append(all, a.elements(name)...)
	}
	return all
}

// ByHref returns the link to the given URL, or nil if there is none.
func (a Response) ByHref(address string) *html.Node {
	for _, n := range a.elements("a") {
		if Attribute(n, "href") == address {
			return n
		}
	}
	return nil
}

// Link returns the URL of the link with the given text, or "" if there is none.
func (a Response) Link(text string) string {
	for _, n := range a.elements("a") {
		if TextOf(n) == text {
			return Attribute(n, "href")
		}
	}
	return ""
}

// Button returns the name of the first button with the given value, or "" if there is none.
func (a Response) Button(value string) string {
	for _, n := range a.elements("button") {
		if Attribute(n, "value") == value {
			return TextOf(n)
		}
	}
	return ""
}

// Language returns the language of a page.
func (a Response) Language() string { return Attribute(a.elements("html")[0], "lang") }

// TextOf returns the text of an element, with white space collapsed.
func TextOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Query returns the query of the URL to which a response redirects, which must be the app's.
func (a Response) Query(t *testing.T) url.Values {
	t.Helper()
	u, err := url.Parse(a.Header.Get("Location"))
	if err != nil || a.StatusCode != http.StatusSeeOther || u.Scheme+"://"+u.Host+u.Path != "https://jobs.example/callback" {
		t.Fatalf("status %d, Location %q, %v", a.StatusCode, a.Header.Get("Location"), err)
	}
	return u.Query()
}

// Follow checks that a response redirects to want, and returns the page there.
func (v *Visitor) Follow(a Response, want string) Response {
	v.t.Helper()
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		v.t.Fatalf("status %d, Location %q", a.StatusCode, a.Header.Get("Location"))
	}
	return v.Get(want)
}

// Reports checks that the page reports success, including to screen readers.
func (a Response) Reports(t *testing.T, want string) {
	t.Helper()
	a.says(t, "status", want)
}

// Refuses checks that the page reports an error.
func (a Response) Refuses(t *testing.T, want string) {
	t.Helper()
	a.says(t, "alert", want)
}

func (a Response) says(t *testing.T, role, want string) {
	t.Helper()
	for n := range a.Root.Descendants() {
		if Attribute(n, "role") == role && strings.Contains(a.Text(), want) {
			return
		}
	}
	t.Errorf("the page does not contain %q in a region with the role %s: %s", want, role, a.Text())
}

// NoFile, given as the content of a file, stands for what a browser sends if no file is selected.
const NoFile = "no file"

// Upload submits a form with a file.
func (v *Visitor) Upload(target, field string, file []byte) Response {
	v.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	_ = w.WriteField("csrf", v.FormToken()) // writes to a buffer never fail
	name := "file"
	if string(file) == NoFile {
		name, file = "", nil
	}
	part, err := w.CreateFormFile(field, name)
	if err != nil {
		v.t.Fatal(err)
	}
	_, _ = part.Write(file)
	_ = w.Close()
	return v.Send(http.MethodPost, target, url.Values{}, func(r *http.Request) {
		r.Header.Set("Content-Type", w.FormDataContentType())
		r.Body, r.ContentLength = io.NopCloser(&body), int64(body.Len())
	})
}
