package document_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/contract"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

// fuzzer sends invalid requests, generated from the document, to one replica.
type fuzzer struct {
	base string
	// credentials holds credentials by path prefix. The first match is sent.
	credentials []credentialFor
	// known holds valid values of path and query parameters. The examples in the document refer to
	// objects that do not exist on this stack.
	known map[string]string
	// client calls the endpoints that accept forms.
	client partner.Client
}

type credentialFor struct{ prefix, bearer string }

// The test sends invalid requests to every operation in the document. They have every kind of defect that can
// be generated from the schema, in every parameter and at every position of a body. Package suite compares the
// responses with the document; this test asserts that no response is a server error.
func TestInvalidRequestsGetDocumentedErrors(t *testing.T) {
	c, p := scene.Everything(t), scene.NewPlatform(t)
	company := p.Company(t)
	w := fuzzer{
		base: p.Stack.BaseURLs[0], client: c.App,
		credentials: []credentialFor{{"/v1/me", c.Tokens.Access}, {"/v1/", p.API.Key}},
		known: map[string]string{
			"companyId": company, "jobId": p.JobIn(t, company, "draft"), "applicationId": "apl_unknown", "token": path.Base(c.Link(t)),
			"client_id": c.App.ID, "redirect_uri": c.App.Redirect,
		},
	}
	operations := expect.Must(contract.Operations(suite.OpenAPI))(t)
	if len(operations) == 0 {
		t.Fatal("the document has no operations")
	}
	for _, o := range operations {
		t.Run(o.Method+" "+o.Path, func(t *testing.T) {
			t.Parallel()
			sent := w.parameters(t, o)
			if o.MediaType != "" {
				sent += w.bodies(t, o)
			}
			t.Logf("%d requests", sent)
		})
	}
}

// parameters sends requests with one invalid parameter, or an invalid credential. It returns the number
// of requests.
func (w fuzzer) parameters(t *testing.T, o contract.Operation) (sent int) {
	t.Helper()
	good := w.example(t, o)
	for _, bearer := range []string{"", "Bearer", "Bearer ", "Bearer x y", "Basic !", "Bearer " + strings.Repeat("x", 5000)} {
		w.send(t, o, nil, good, "Authorization", bearer)
		sent++
	}
	for _, parameter := range o.Parameters {
		for _, value := range contract.BadText(parameter.Schema) {
			if parameter.In == "header" && (strings.Contains(value, "\x00") || strings.Contains(value, "\xff")) {
				continue // net/http does not send such values
			}
			w.send(t, o, map[string]string{parameter.Name: value}, good)
			sent++
		}
	}
	return sent
}

// bodies sends requests with one defect in the body. It returns the number of requests.
func (w fuzzer) bodies(t *testing.T, o contract.Operation) (sent int) {
	t.Helper()
	if o.Example == nil {
		t.Fatal("the document has no example of the body")
	}
	if o.MediaType != "application/json" {
		return w.forms(t, o)
	}
	for _, bad := range contract.BadJSON(o.Body, o.Example) {
		w.send(t, o, nil, bad.JSON)
		sent++
	}
	for _, kind := range []string{"", "text/plain", "application/json; charset=latin1", "multipart/form-data"} {
		w.send(t, o, nil, w.example(t, o), "Content-Type", kind)
		sent++
	}
	return sent
}

// forms sends requests with one invalid form field. It returns the number of requests.
func (w fuzzer) forms(t *testing.T, o contract.Operation) (sent int) {
	t.Helper()
	good, _ := o.Example.(map[string]any)
	for name := range good {
		for _, value := range contract.BadText(o.Body.Get("properties").Get(name)) {
			form := w.form(good)
			form.Set(name, value)
			w.send(t, o, nil, form.Encode())
			form.Add(name, "twice")
			w.send(t, o, nil, form.Encode())
			form.Del(name)
			w.send(t, o, nil, form.Encode())
			sent += 3
		}
	}
	return sent
}

func (w fuzzer) form(good map[string]any) url.Values {
	form := url.Values{}
	for k, v := range good {
		form.Set(k, fmt.Sprint(v))
	}
	if form.Has("client_id") {
		form.Set("client_id", w.client.ID)
		form.Set("client_secret", w.client.Secret)
	}
	return form
}

// example returns a valid body, or "" if the operation has no body.
func (w fuzzer) example(t *testing.T, o contract.Operation) string {
	t.Helper()
	if o.Example == nil {
		return ""
	}
	if fields, ok := o.Example.(map[string]any); ok && o.MediaType != "application/json" {
		return w.form(fields).Encode()
	}
	return string(expect.Must(json.Marshal(o.Example))(t))
}

// send sends a request. Values in invalid replace the valid parameters.
func (w fuzzer) send(t *testing.T, o contract.Operation, invalid map[string]string, body string, headers ...string) {
	t.Helper()
	req := w.request(t, o, invalid, body)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	a, err := partner.Do(req)
	if err != nil {
		t.Errorf("%v\nsent: %.300s", err, body)
		return
	}
	if a.Status >= http.StatusInternalServerError {
		t.Errorf("%s %s, sent %.300s: %s", o.Method, req.URL, body, a)
	}
}

// good returns a valid value for a parameter.
func (w fuzzer) good(p contract.Parameter) string {
	if value, known := w.known[p.Name]; known {
		return value
	}
	return fmt.Sprint(p.Example)
}

func (w fuzzer) request(t *testing.T, o contract.Operation, invalid map[string]string, body string) *http.Request {
	t.Helper()
	target, query, header := o.Path, url.Values{}, http.Header{}
	for _, p := range o.Parameters {
		value, bad := invalid[p.Name]
		switch {
		case p.In == "path" && !bad:
			target = strings.ReplaceAll(target, "{"+p.Name+"}", url.PathEscape(w.good(p)))
		case p.In == "path":
			target = strings.ReplaceAll(target, "{"+p.Name+"}", url.PathEscape(value))
		case p.In == "query" && bad:
			query.Set(p.Name, value)
		case p.In == "query" && p.Required:
			query.Set(p.Name, w.good(p))
		case p.In == "header" && bad:
			header.Set(p.Name, value)
		}
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var content io.Reader = http.NoBody
	if o.MediaType != "" {
		content = strings.NewReader(body)
		header.Set("Content-Type", o.MediaType)
	}
	req, err := http.NewRequestWithContext(t.Context(), o.Method, w.base+target, content)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	for _, c := range w.credentials {
		if strings.HasPrefix(o.Path, c.prefix) {
			req.Header.Set("Authorization", "Bearer "+c.bearer)
			break
		}
	}
	return req
}
