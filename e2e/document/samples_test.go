package document_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// sampled is an operation of the document with its code samples.
type sampled struct {
	Method, Path, ID string
	// Successes lists the status codes of successful responses.
	Successes []int
	// Samples holds the source code by language.
	Samples map[string]string
}

// sampledOperations returns the operations of the stack's OpenAPI document.
func sampledOperations(t testing.TB) []sampled {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]any
			Samples     []struct{ Lang, Source string } `json:"x-codeSamples"`
		}
	}
	if err := json.Unmarshal(expect.Must(os.ReadFile(documentFile(t)))(t), &document); err != nil {
		t.Fatal(err)
	}
	var all []sampled
	for route, methods := range document.Paths {
		for method, o := range methods {
			one := sampled{Method: strings.ToUpper(method), Path: route, ID: o.OperationID, Samples: map[string]string{}}
			for status := range o.Responses {
				if n := expect.Must(strconv.Atoi(status))(t); n < 400 && n != http.StatusNotModified {
					one.Successes = append(one.Successes, n)
				}
			}
			for _, s := range o.Samples {
				one.Samples[s.Lang] = s.Source
			}
			all = append(all, one)
		}
	}
	if len(all) < 20 {
		t.Fatalf("the document has %d operations", len(all))
	}
	return all
}

// seen is a request that the recorder received, and the status of its response.
type seen struct {
	method, path string
	status       int
}

// recorder is a proxy between samples and the stack. The first path segment is the name under which the
// request is recorded.
type recorder struct {
	mu   sync.Mutex
	seen map[string][]seen
}

// sampleHeader passes the name of the sample from the request to the response handler of the proxy.
const sampleHeader = "X-Sample"

// record starts a recorder and returns its URL.
func record(t testing.TB) (*recorder, string) {
	t.Helper()
	r := &recorder{seen: map[string][]seen{}}
	stack := expect.Must(url.Parse(suite.System.BaseURLs[0]))(t)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			name, rest, _ := strings.Cut(strings.TrimPrefix(p.In.URL.Path, "/"), "/")
			p.SetURL(stack)
			p.Out.Header.Set(sampleHeader, name)
			p.Out.URL.Path, p.Out.URL.RawPath = "/"+rest, ""
		},
		ModifyResponse: func(a *http.Response) error {
			name := a.Request.Header.Get(sampleHeader)
			r.mu.Lock()
			defer r.mu.Unlock()
			r.seen[name] = append(r.seen[name], seen{a.Request.Method, a.Request.URL.Path, a.StatusCode})
			return nil
		},
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return r, server.URL
}

// check asserts that the sample of an operation sent exactly one request and received a documented
// success.
func (r *recorder) check(t testing.TB, o sampled) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	route := regexp.MustCompile("^" + regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(o.Path), "[^/]+") + "$")
	all := r.seen[o.ID]
	if len(all) != 1 || all[0].method != o.Method || !route.MatchString(all[0].path) {
		t.Errorf("%s: the sample sent %+v", o.ID, all)
		return
	}
	for _, status := range o.Successes {
		if all[0].status == status {
			return
		}
	}
	t.Errorf("%s: got the status %d, want one of %v", o.ID, all[0].status, o.Successes)
}

// reader is a partner who runs samples, with the objects and credentials for the environment.
type reader struct {
	person   scene.Connected
	employer scene.Platform
	company  string
}

func newReader(t testing.TB) reader {
	t.Helper()
	layla := world.Full()
	layla.AvatarURL = world.InlinePhoto(t, 300)
	s := scene.New(t, layla)
	r := reader{person: scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}, employer: scene.NewPlatform(t, world.Applicants())}
	r.person.Tokens = scene.Connect(t, r.person.App, r.person.Person, world.EveryScope, person.Choice{Photo: true})
	r.company = r.employer.Company(t)
	return r
}

// settings returns the environment variables for the sample of an operation.
func (r reader) settings(t testing.TB, o sampled) map[string]string {
	t.Helper()
	request := r.person.App.NewRequest(world.EveryScope)
	set := map[string]string{
		"API_KEY": r.employer.API.Key, "ACCESS_TOKEN": r.person.Tokens.Access, "CLIENT_ID": r.person.App.ID, "CLIENT_SECRET": r.person.App.Secret, "REDIRECT_URI": r.person.App.Redirect,
		"STATE": request.State, "CODE_CHALLENGE": request.Params.Get("code_challenge"),
		"COMPANY_ID": r.company, "JOB_ID": r.employer.Created.Jobs["job"].ID, "APPLICATION_ID": r.employer.Created.Applications["file"].ID,
	}
	switch o.ID {
	case "updateJob", "publishJob", "archiveJob":
		set["JOB_ID"] = r.employer.JobIn(t, r.company, "draft")
	case "closeJob":
		set["JOB_ID"] = r.employer.JobIn(t, r.company, "active")
	case "issueToken":
		set["CODE"], set["CODE_VERIFIER"] = scene.Code(t, r.person.App, r.person.Person, request, person.Choice{Photo: true}), request.Verifier
	case "introspectToken":
		set["TOKEN"] = r.person.Tokens.Access
	case "revokeToken":
		set["TOKEN"] = scene.Connect(t, r.person.App, r.person.Person, world.EveryScope, person.Choice{Photo: true}).Access
	case "openPhoto":
		photo, _ := expect.Success(t, r.person.Get(t, "/v1/me"))["avatarUrl"].(string)
		set["TOKEN"] = path.Base(photo)
	case "openCvLink":
		set["TOKEN"] = path.Base(r.person.Link(t))
	case "downloadResume":
		address, _ := r.employer.ResumeURL(t, "file")
		for name, values := range expect.Must(url.Parse(address))(t).Query() {
			set[strings.ToUpper(name)] = values[0]
		}
	}
	return set
}

// commands holds the command that runs a saved sample, by language.
var commands = map[string]struct{ file, name, argument string }{
	"sh":     {"sample.sh", "bash", "sample.sh"},
	"js":     {"sample.mjs", "node", "sample.mjs"},
	"python": {"sample.py", "python3", "sample.py"},
	"go":     {"main.go", "./sample", ""},
}

// The test runs the sample of every operation in every language as a reader would: with values in the
// environment, against the stack (behaviour: openapi#code-samples).
func TestCodeSamplesOfDocumentWork(t *testing.T) {
	t.Parallel()
	operations := sampledOperations(t)
	for lang := range commands {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			r := newReader(t)
			recorder, address := record(t)
			root := saved(t, operations, lang)
			for _, o := range operations {
				settings := []string{"BASE=" + address + "/" + o.ID}
				for name, value := range r.settings(t, o) {
					settings = append(settings, name+"="+value)
				}
				c, dir := commands[lang], filepath.Join(root, o.ID)
				if out := works(t, dir, settings, c.name, strings.Fields(c.argument)...); len(expect.Must(os.ReadDir(dir))(t)) == filesBefore(lang) && strings.TrimSpace(out) == "" {
					t.Errorf("%s neither prints nor saves the response", o.ID)
				}
				recorder.check(t, o)
			}
		})
	}
}

// filesBefore returns the number of files in the folder of a sample before the sample runs.
func filesBefore(lang string) int {
	if lang == "go" {
		return 2 // the source and the program
	}
	return 1
}

// saved writes the samples of a language to folders named after their operations. Go programs are built
// together, because they share most packages.
func saved(t testing.TB, operations []sampled, lang string) (root string) {
	t.Helper()
	root = written(t, "go.mod", "module samples\n\ngo 1.22\n")
	for _, o := range operations {
		dir := filepath.Join(root, o.ID)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if o.Samples[lang] == "" {
			t.Fatalf("%s has no sample in %s", o.ID, lang)
		}
		if err := os.WriteFile(filepath.Join(dir, commands[lang].file), []byte(o.Samples[lang]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if lang != "go" {
		return root
	}
	works(t, root, nil, "go", "vet", "-trimpath", "./...")
	goBuilds(t, root, "bin/", "./...")
	for _, o := range operations {
		if err := os.Rename(filepath.Join(root, "bin", o.ID), filepath.Join(root, o.ID, "sample")); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
