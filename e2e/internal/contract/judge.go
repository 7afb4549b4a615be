package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/cache"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/content"
	faults "github.com/pb33f/libopenapi-validator/errors"
	"github.com/pb33f/libopenapi-validator/paths"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// Exchange is a request and its answer.
type Exchange struct {
	Request *http.Request
	// Sent is the body of the request, which Request no longer has.
	Sent []byte

	Status int
	Header http.Header
	// Body of the answer.
	Body []byte
}

// Judge compares exchanges with one document.
type Judge struct {
	document *v3.Document
	// requests ignores fields that the document does not name, as the service does.
	// bodies does not ignore them.
	requests, bodies validator.Validator
	answers          *answers
	// known maps exchanges that match the document to their response objects, because the library
	// takes longer for an answer than the service.
	known sync.Map
	// judging prevents concurrent requests from compiling the same schema several times.
	judging sync.Mutex

	mu    sync.Mutex
	first error
}

// New returns a judge for a document.
func New(document []byte) (*Judge, error) {
	open, err := model(document)
	if err != nil {
		return nil, err
	}
	strict, err := closed(document)
	if err != nil {
		return nil, err
	}
	shut, err := model(strict)
	if err != nil {
		return nil, err
	}
	rest, err := newAnswers(strict)
	if err != nil {
		return nil, err
	}
	formats := config.WithFormatAssertions()
	forms := config.WithBodyDecoder("application/x-www-form-urlencoded", content.DecoderFunc(decodeForm))
	return &Judge{
		document: open,
		requests: validator.NewValidatorFromV3Model(open, formats, forms, whenNeeded()),
		bodies:   validator.NewValidatorFromV3Model(shut, formats, whenNeeded()),
		answers:  rest,
	}, nil
}

// needed are the schemas that were used.
type needed struct{ cache.SchemaCache }

// whenNeeded makes a validator compile a schema when it is first used, instead of all at the start.
func whenNeeded() config.Option { return config.WithSchemaCache(needed{cache.NewDefaultCache()}) }

// Load reports that the schema exists, which prevents the validator from compiling it at the start.
func (n needed) Load(key uint64) (*cache.SchemaCacheEntry, bool) {
	entry, _ := n.SchemaCache.Load(key)
	return entry, true
}

func model(document []byte) (*v3.Document, error) {
	parsed, err := libopenapi.NewDocument(document)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	built, err := parsed.BuildV3Model()
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	return &built.Model, nil
}

// Judge returns the first difference between an exchange and the document, and stores it for First.
func (j *Judge) Judge(x Exchange) error {
	err := j.judge(x)
	if err != nil {
		err = fmt.Errorf("%s %s, answered %d %.400s: not as the document says: %w", x.Request.Method, x.Request.URL.Path, x.Status, x.Body, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.first == nil {
		j.first = err
	}
	return err
}

// First is the first difference that Judge has found, nil if there is none.
func (j *Judge) First() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.first
}

func (j *Judge) judge(x Exchange) error {
	like := x.likeness()
	if response, known := j.known.Load(like); known {
		return j.answers.check(response.(string), x)
	}
	j.judging.Lock()
	defer j.judging.Unlock()
	if response, known := j.known.Load(like); known { // in the meantime
		return j.answers.check(response.(string), x)
	}
	asked := x.request()
	if x.Request.Method == http.MethodHead {
		asked.Method = http.MethodGet
	}
	template, item := j.find(asked)
	if item == nil {
		return j.answers.noOperation(http.StatusNotFound, x)
	}
	method := strings.ToLower(asked.Method)
	if item.GetOperations().GetOrZero(method) == nil {
		return j.answers.noOperation(http.StatusMethodNotAllowed, x)
	}
	response := pointer("paths", template, method, "responses", strconv.Itoa(x.Status))
	if err := j.answers.check(response, x); err != nil {
		return err
	}
	if err := j.judgeBodies(asked, x); err != nil {
		return err
	}
	j.known.Store(like, response)
	return nil
}

// judgeBodies compares the body of an answer with the document, and the request if that
// succeeded.
func (j *Judge) judgeBodies(asked *http.Request, x Exchange) error {
	if x.Request.Method == http.MethodHead {
		return nil
	}
	answered := x.response()
	defer answered.Body.Close()
	if ok, differences := j.bodies.ValidateHttpResponse(asked, answered); !ok {
		return all(differences)
	}
	// A request that the document forbids must not succeed. Faults may be reported by a
	// redirect (RFC 6749 §4.1.2.1).
	if x.Status >= http.StatusMultipleChoices && x.Status != http.StatusNotModified {
		return nil
	}
	if ok, differences := j.requests.ValidateHttpRequestSync(x.request()); !ok {
		return fmt.Errorf("the request: %w", all(differences))
	}
	return nil
}

// find returns the path of a request in the document, and its template, or nil. A parameter may be
// "." or "..", which the library would resolve.
func (j *Judge) find(asked *http.Request) (string, *v3.PathItem) {
	segments := strings.Split(asked.URL.Path, "/")
	if slices.Contains(segments[1:], "") {
		return "", nil
	}
	for i, segment := range segments {
		if segment == "." || segment == ".." {
			segments[i] = "dots"
		}
	}
	asked.URL = &url.URL{Scheme: asked.URL.Scheme, Host: asked.URL.Host, Path: strings.Join(segments, "/"), RawQuery: asked.URL.RawQuery}
	item, _, template := paths.FindPath(asked, j.document, config.NewValidationOptions())
	return template, item
}

// request is a copy of the request with its body, and with the headers trimmed as the
// service receives them.
func (x Exchange) request() *http.Request {
	r := x.Request.Clone(x.Request.Context())
	r.Body = io.NopCloser(bytes.NewReader(x.Sent))
	for _, values := range r.Header {
		for i := range values {
			values[i] = strings.TrimSpace(values[i])
		}
	}
	return r
}

// response is the answer for the library. The library decodes a header that is JSON, so
// that an entity tag would lose its quotes; encoded once more, it keeps them.
func (x Exchange) response() *http.Response {
	header := x.Header.Clone()
	for _, values := range header {
		for i, value := range values {
			if strings.HasPrefix(value, `"`) {
				raw, _ := json.Marshal(value) // never fails for a string
				values[i] = string(raw)
			}
		}
	}
	return &http.Response{StatusCode: x.Status, Header: header, Body: io.NopCloser(bytes.NewReader(x.Body)), Request: x.Request}
}

// decodeForm reads a form. The service refuses repeated fields, so the first value counts.
func decodeForm(in *content.DecodeInput) (any, error) {
	raw, err := io.ReadAll(in.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for name := range form {
		out[name] = form.Get(name)
	}
	return out, nil
}

func all(differences []*faults.ValidationError) error {
	var out []error
	for _, d := range differences {
		out = append(out, fmt.Errorf("%s: %s", d.Message, d.Reason))
		for _, s := range d.SchemaValidationErrors {
			out = append(out, fmt.Errorf("at %s: %s", s.FieldPath, s.Reason))
		}
	}
	return errors.Join(out...)
}
