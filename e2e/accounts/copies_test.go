package accounts_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
)

// download submits the form with the download button, and returns the response.
func download(t *testing.T, p *person.Person, at person.Visit) *http.Response {
	t.Helper()
	button := expect.Must(at.Page.One("button", downloadCopy))(t)
	sent := expect.Must(expect.Must(at.Page.FormOf(button))(t).Submit(button))(t)
	req := expect.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, sent.URL.String(), strings.NewReader(sent.Body.Encode())))(t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", sent.URL.Scheme+"://"+sent.URL.Host)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, c := range p.Cookies(sent.URL) {
		req.AddCookie(c)
	}
	res := expect.Must(http.DefaultClient.Do(req))(t)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// unpacked returns the files of a ZIP response by name.
func unpacked(t *testing.T, res *http.Response) map[string][]byte {
	t.Helper()
	raw := expect.Must(io.ReadAll(res.Body))(t)
	if res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != "no-store" || int64(len(raw)) != res.ContentLength {
		t.Fatalf("%s, Cache-Control %q, %d bytes of %d", res.Status, res.Header.Get("Cache-Control"), len(raw), res.ContentLength)
	}
	files := map[string][]byte{}
	for _, f := range expect.Must(zip.NewReader(bytes.NewReader(raw), int64(len(raw))))(t).File {
		files[f.Name] = expect.Must(io.ReadAll(expect.Must(f.Open())(t)))(t)
	}
	return files
}

// follow validates a document against a schema.
func follow(t *testing.T, schema, document []byte) {
	t.Helper()
	rules := jsonschema.NewCompiler()
	if err := rules.AddResource("export.schema.json", expect.Must(jsonschema.UnmarshalJSON(bytes.NewReader(schema)))(t)); err != nil {
		t.Fatal(err)
	}
	if err := expect.Must(rules.Compile("export.schema.json"))(t).Validate(expect.Must(jsonschema.UnmarshalJSON(bytes.NewReader(document)))(t)); err != nil {
		t.Errorf("the document does not match its schema: %v", err)
	}
}

// post submits a form body unchanged and returns the status of the response.
func post(t *testing.T, p *person.Person, target, body string) int {
	t.Helper()
	req := expect.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(body)))(t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", "http://"+req.URL.Host)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for _, c := range p.Cookies(req.URL) {
		req.AddCookie(c)
	}
	res := expect.Must(http.DefaultTransport.RoundTrip(req))(t)
	_ = res.Body.Close()
	return res.StatusCode
}
