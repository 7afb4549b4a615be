package e2e_test

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
	"vitae.internal/e2e/internal/partner"
)

// wild sends requests that are made of the document to one edge.
type wild struct {
	base string
	// credentials by the beginning of a path; the first that fits.
	credentials []credentialFor
	// known are good values of parameters of paths and queries, where the document's
	// examples are of nobody here.
	known map[string]string
	// client of the form endpoints.
	client partner.Client
}

type credentialFor struct{ prefix, bearer string }

// TestNoRequestThatASchemaForbidsFindsAnUndocumentedAnswer makes faulty requests of
// every operation in the document: each place of a body, each parameter, with each
// fault that its schema can have. That an answer is as documented is what the judge
// of every answer says; here, that none is a fault of ours.
func TestNoRequestThatASchemaForbidsFindsAnUndocumentedAnswer(t *testing.T) {
	c, p := everything(t), newPlatform(t)
	company := p.company(t)
	w := wild{
		base: p.stack.BaseURLs[0], client: c.app,
		credentials: []credentialFor{{"/v1/me", c.tokens.Access}, {"/v1/", p.api.Key}},
		known: map[string]string{
			"companyId": company, "jobId": p.jobIn(t, company, "draft"), "applicationId": "apl_unknown", "token": path.Base(c.link(t)),
			"client_id": c.app.ID, "redirect_uri": c.app.Redirect,
		},
	}
	operations := must(contract.Operations(openAPI))(t)
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

// parameters spoils one parameter after the other, and the credential.
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
				continue // no client of ours can send it
			}
			w.send(t, o, map[string]string{parameter.Name: value}, good)
			asked++
		}
	}
	return asked
}

// bodies spoils one place of a body after the other.
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

// forms spoils one field of a form after the other.
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

// example is a good body, "" without one.
func (w wild) example(t *testing.T, o contract.Operation) string {
	t.Helper()
	if o.Example == nil {
		return ""
	}
	if fields, ok := o.Example.(map[string]any); ok && o.MediaType != "application/json" {
		return w.form(fields).Encode()
	}
	return string(must(json.Marshal(o.Example))(t))
}

// send sends one request; spoilt are parameters that replace the good ones.
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

// good is a value of a parameter that nothing is wrong with.
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
