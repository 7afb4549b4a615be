package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	faults "github.com/pb33f/libopenapi-validator/errors"
	"github.com/pb33f/libopenapi-validator/paths"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// framing are the headers of an answer that HTTP itself brings, not the service.
var framing = []string{"Date", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection"}

// Exchange is a request, whose body was kept, and its answer.
type Exchange struct {
	Request *http.Request
	// Sent is the body of the request.
	Sent []byte

	Status int
	Header http.Header
	// Body of the answer.
	Body []byte
}

// Judge compares exchanges with one document.
type Judge struct {
	document *v3.Document
	// requests overlooks what the document does not name, as the service does;
	// answers does not, and heads looks at no body.
	requests, answers, heads validator.Validator

	mu    sync.Mutex
	seen  map[string]int
	first error
}

// New makes a judge of a document.
func New(document []byte) (*Judge, error) {
	parsed, err := libopenapi.NewDocument(document)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	model, err := parsed.BuildV3Model()
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	strict := []config.Option{config.WithStrictMode(), config.WithFormatAssertions(), config.WithStrictIgnoredHeaders(framing...)}
	return &Judge{
		document: &model.Model,
		requests: validator.NewValidatorFromV3Model(&model.Model, config.WithFormatAssertions(), config.WithURLEncodedBodyValidation()),
		answers:  validator.NewValidatorFromV3Model(&model.Model, strict...),
		heads:    validator.NewValidatorFromV3Model(&model.Model, append(strict, config.WithoutResponseBodyValidation())...),
		seen:     map[string]int{},
	}, nil
}

// Judge gives the first difference between an exchange and the document, and
// remembers it.
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

// First is the first difference that was found; nil if none was.
func (j *Judge) First() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.first
}

// Seen says which answers came, as "GET /v1/me 200", and how often.
func (j *Judge) Seen() map[string]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make(map[string]int, len(j.seen))
	for k, n := range j.seen {
		out[k] = n
	}
	return out
}

func (j *Judge) judge(x Exchange) error {
	asked, answers := x.request(), j.answers
	if x.Request.Method == http.MethodHead {
		asked.Method, answers = http.MethodGet, j.heads
	}
	item, _, template := paths.FindPath(asked, j.document, config.NewValidationOptions())
	if item == nil || item.GetOperations().GetOrZero(strings.ToLower(asked.Method)) == nil {
		return x.undescribed(item != nil)
	}
	j.count(asked.Method, template, x.Status)
	if ok, differences := answers.ValidateHttpResponse(asked, x.response()); !ok {
		return all(differences)
	}
	if x.Status >= http.StatusBadRequest {
		return nil
	}
	// What the document forbids must not have succeeded.
	if ok, differences := j.requests.ValidateHttpRequestSync(x.request()); !ok && x.Request.Method != http.MethodHead {
		return fmt.Errorf("the request: %w", all(differences))
	}
	return nil
}

func (j *Judge) count(method, template string, status int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen[fmt.Sprintf("%s %s %d", method, template, status)]++
}

// request is the request once more, unsent.
func (x Exchange) request() *http.Request {
	r := x.Request.Clone(x.Request.Context())
	r.Body = io.NopCloser(bytes.NewReader(x.Sent))
	return r
}

func (x Exchange) response() *http.Response {
	return &http.Response{StatusCode: x.Status, Header: x.Header.Clone(), Body: io.NopCloser(bytes.NewReader(x.Body)), Request: x.Request}
}

// undescribed is for what the document does not have: the service must not have it
// either.
func (x Exchange) undescribed(path bool) error {
	want, code := http.StatusNotFound, "NOT_FOUND"
	if path {
		want, code = http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED"
	}
	if x.Request.Method == http.MethodHead && x.Status == want {
		return nil
	}
	var body struct {
		Error struct{ Code string }
	}
	if err := json.Unmarshal(x.Body, &body); err != nil || x.Status != want || body.Error.Code != code {
		return fmt.Errorf("there is no such operation: want %d %s", want, code)
	}
	return nil
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
