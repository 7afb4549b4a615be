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

// Exchange is a request and its response.
type Exchange struct {
	Request *http.Request
	// Sent is the request body, which can no longer be read from Request.
	Sent []byte

	Status int
	Header http.Header
	// Body is the response body.
	Body []byte
}

// Judge compares exchanges with an OpenAPI document.
type Judge struct {
	document *v3.Document
	// requests allows fields that the document does not define, as the service does. bodies rejects
	// them.
	requests, bodies validator.Validator
	responses        *responses
	// matched maps exchanges that match the document to their response objects. It is a cache, because
	// validating a response with the library takes longer than the service takes to produce it.
	matched sync.Map
	// judging prevents concurrent goroutines from compiling the same schema several times.
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
	responses, err := newResponses(strict)
	if err != nil {
		return nil, err
	}
	formats := config.WithFormatAssertions()
	forms := config.WithBodyDecoder("application/x-www-form-urlencoded", content.DecoderFunc(decodeForm))
	return &Judge{
		document:  open,
		requests:  validator.NewValidatorFromV3Model(open, formats, forms, whenNeeded()),
		bodies:    validator.NewValidatorFromV3Model(shut, formats, whenNeeded()),
		responses: responses,
	}, nil
}

// lazySchemas is a schema cache that claims to contain every schema, so schemas are compiled on first
// use.
type lazySchemas struct{ cache.SchemaCache }

// whenNeeded makes a validator compile a schema on first use, instead of all schemas at the start.
func whenNeeded() config.Option { return config.WithSchemaCache(lazySchemas{cache.NewDefaultCache()}) }

// Load always reports that the schema exists, which prevents the validator from compiling it at the
// start.
func (n lazySchemas) Load(key uint64) (*cache.SchemaCacheEntry, bool) {
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
		err = fmt.Errorf("the response to %s %s does not match the document: %d %.400s: %w", x.Request.Method, x.Request.URL.Path, x.Status, x.Body, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.first == nil {
		j.first = err
	}
	return err
}

// First returns the first difference that Judge has found, or nil if there is none.
func (j *Judge) First() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.first
}

func (j *Judge) judge(x Exchange) error {
	like := x.likeness()
	if response, known := j.matched.Load(like); known {
		return j.responses.check(response.(string), x)
	}
	j.judging.Lock()
	defer j.judging.Unlock()
	if response, known := j.matched.Load(like); known { // another goroutine may have stored it
		return j.responses.check(response.(string), x)
	}
	req := x.request()
	if x.Request.Method == http.MethodHead {
		req.Method = http.MethodGet
	}
	template, item := j.find(req)
	if item == nil {
		return j.responses.noOperation(http.StatusNotFound, x)
	}
	method := strings.ToLower(req.Method)
	if item.GetOperations().GetOrZero(method) == nil {
		return j.responses.noOperation(http.StatusMethodNotAllowed, x)
	}
	response := pointer("paths", template, method, "responses", strconv.Itoa(x.Status))
	if err := j.responses.check(response, x); err != nil {
		return err
	}
	if err := j.judgeBodies(req, x); err != nil {
		return err
	}
	j.matched.Store(like, response)
	return nil
}

// judgeBodies compares the response body with the document and, if the request succeeded, the request.
func (j *Judge) judgeBodies(req *http.Request, x Exchange) error {
	if x.Request.Method == http.MethodHead {
		return nil
	}
	response := x.response()
	defer response.Body.Close()
	if ok, differences := j.bodies.ValidateHttpResponse(req, response); !ok {
		return all(differences)
	}
	// A request that the document does not allow must not succeed. A redirect may report an error (RFC
	// 6749 §4.1.2.1).
	if x.Status >= http.StatusMultipleChoices && x.Status != http.StatusNotModified {
		return nil
	}
	if ok, differences := j.requests.ValidateHttpRequestSync(x.request()); !ok {
		return fmt.Errorf("the request: %w", all(differences))
	}
	return nil
}

// find returns the path template and path item for a request, or nil if the document has none. It
// replaces the parameters "." and "..", which the library would resolve.
func (j *Judge) find(req *http.Request) (string, *v3.PathItem) {
	segments := strings.Split(req.URL.Path, "/")
	if slices.Contains(segments[1:], "") {
		return "", nil
	}
	for i, segment := range segments {
		if segment == "." || segment == ".." {
			segments[i] = "dots"
		}
	}
	req.URL = &url.URL{Scheme: req.URL.Scheme, Host: req.URL.Host, Path: strings.Join(segments, "/"), RawQuery: req.URL.RawQuery}
	item, _, template := paths.FindPath(req, j.document, config.NewValidationOptions())
	return template, item
}

// request returns a copy of the request with its body and trimmed header values, as the service
// receives them.
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

// response converts the response for the library. The library decodes header values that are JSON,
// which would remove the quotes of an entity tag, so quoted values are encoded twice.
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

// decodeForm parses a form. It uses the first value of each field, because the service rejects repeated
// fields.
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
