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

// wild sends requests that are made from the document to one replica.
type wild struct {
	base string
	// credentials by the beginning of a path. The first that fits is sent.
	credentials []credentialFor
	// known are good values of parameters in paths and queries. The examples in the
	// document name things that do not exist on this stack.
	known map[string]string
	// client that calls the endpoints that take a form.
	client partner.Client
}

type credentialFor struct{ prefix, bearer string }

// TestInvalidRequestsGetDocumentedAnswers sends faulty requests to
// every operation of the document: every parameter and every place of a body, with every
// fault that its schema can have. Package suite compares each answer with the document;
// this test asserts that none is a server error.
func TestInvalidRequestsGetDocumentedAnswers(t *testing.T) {
	c, p := scene.Everything(t), scene.NewPlatform(t)
	company := p.Company(t)
	w := wild{
		base: p.Stack.BaseURLs[0], client: c.App,
		credentials: []credentialFor{{"/v1/me", c.Tokens.Access}, {"/v1/", p.API.Key}},
		known: map[string]string{
			"companyId": company, "jobId": p.JobIn(t, company, "draft"), "applicationId": "apl_unknown", "token": path.Base(c.Link(t)),
			"client_id": c.App.ID, "redirect_uri": c.App.Redirect,
		},
	}
	operations := expect.Must(contract.Operations(suite.OpenAPI))(t)
	if len(operations) == 0 {
		t.Fatal("the document has no operation")
	}
	for _, o := range operations {
		t.Run(o.Method+" "+o.Path, func(t *testing.T) {
			t.Parallel()
			asked := w.parameters(t, o)
			if o.MediaType != "" {
				asked += w.bodies(t, o)
			}
			t.Logf("%d requests", asked)
		})
	}
}

// parameters sends requests in which one parameter, or the credential, is faulty. It
// returns how many.
func (w wild) parameters(t *testing.T, o contract.Operation) (asked int) {
	t.Helper()
	good := w.example(t, o)
	for _, bearer := range []string{"", "Bearer", "Bearer ", "Bearer x y", "Basic !", "Bearer " + strings.Repeat("x", 5000)} {
		w.send(t, o, nil, good, "Authorization", bearer)
		asked++
	}
	for _, parameter := range o.Parameters {
		for _, value := range contract.BadText(parameter.Schema) {
			if parameter.In == "header" && (strings.Contains(value, "\x00") || strings.Contains(value, "\xff")) {
				continue // net/http refuses to send it
			}
			w.send(t, o, map[string]string{parameter.Name: value}, good)
			asked++
		}
	}
	return asked
}

// bodies sends requests in which one place of the body is faulty.
func (w wild) bodies(t *testing.T, o contract.Operation) (asked int) {
	t.Helper()
	if o.Example == nil {
		t.Fatal("the document gives no example of the body")
	}
	if o.MediaType != "application/json" {
		return w.forms(t, o)
	}
	for _, bad := range contract.BadJSON(o.Body, o.Example) {
		w.send(t, o, nil, bad.JSON)
		asked++
	}
	for _, kind := range []string{"", "text/plain", "application/json; charset=latin1", "multipart/form-data"} {
		w.send(t, o, nil, w.example(t, o), "Content-Type", kind)
		asked++
	}
	return asked
}

// forms sends requests in which one field of the form is faulty.
func (w wild) forms(t *testing.T, o contract.Operation) (asked int) {
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
			asked += 3
		}
	}
	return asked
}

func (w wild) form(good map[string]any) url.Values {
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

// example is a body that is accepted, "" for an operation without one.
func (w wild) example(t *testing.T, o contract.Operation) string {
	t.Helper()
	if o.Example == nil {
		return ""
	}
	if fields, ok := o.Example.(map[string]any); ok && o.MediaType != "application/json" {
		return w.form(fields).Encode()
	}
	return string(expect.Must(json.Marshal(o.Example))(t))
}

// send sends one request. The spoilt parameters replace the good ones.
func (w wild) send(t *testing.T, o contract.Operation, spoilt map[string]string, body string, headers ...string) {
	t.Helper()
	req := w.request(t, o, spoilt, body)
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

// good is a value of a parameter that is accepted.
func (w wild) good(p contract.Parameter) string {
	if value, known := w.known[p.Name]; known {
		return value
	}
	return fmt.Sprint(p.Example)
}

func (w wild) request(t *testing.T, o contract.Operation, spoilt map[string]string, body string) *http.Request {
	t.Helper()
	target, query, header := o.Path, url.Values{}, http.Header{}
	for _, p := range o.Parameters {
		value, bad := spoilt[p.Name]
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
