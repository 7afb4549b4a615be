package generate

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/api/openapi/model"
)

// responses builds the error responses of operations, and collects the responses that operations
// share.
type responses struct {
	failures model.Map[model.Response]
	shared   model.Map[model.Header]
}

// headers returns the headers of a response. Headers that the response always has are references to components.
// Headers that it only sometimes has are copies, because a component specifies whether its header is required.
func (r *responses) headers(always, sometimes []header) (m model.Map[model.Header]) {
	for _, h := range always {
		r.shared.Set(h.component, model.Header{Description: h.description, Required: true, Schema: h.schema, Example: h.example})
		m.Set(h.name, model.Header{Ref: "#/components/headers/" + h.component})
	}
	for _, h := range sometimes {
		m.Set(h.name, model.Header{Description: h.description, Schema: h.schema, Example: h.example})
	}
	return m
}

// unchanged returns the 304 response.
func (r *responses) unchanged(headers []header) model.Response {
	return model.Response{
		Description: "What the client has is what it would get. The answer has no body.",
		Headers:     r.headers(append(everywhere(), headers...), nil),
	}
}

// fail adds the error responses of an operation, one for each status. Operations with the same codes share the
// response.
func (r *responses) fail(op *model.Operation, s surface, codes []string) error {
	byStatus := map[int][]string{}
	for _, code := range slices.Concat(s.codes, codes) {
		status, public := answer.StatusOf(code)
		if !public {
			return fmt.Errorf("generate: %s has the error code %s, which is not public", op.OperationID, code)
		}
		if !slices.Contains(byStatus[status], code) {
			byStatus[status] = append(byStatus[status], code)
		}
	}
	for status := 400; status < 600; status++ {
		if byStatus[status] == nil {
			continue
		}
		slices.Sort(byStatus[status])
		ref, err := r.failure(s, status, byStatus[status])
		if err != nil {
			return err
		}
		op.Responses.Set(strconv.Itoa(status), ref)
	}
	return nil
}

// failure returns a reference to the response for a status and its codes.
func (r *responses) failure(s surface, status int, codes []string) (model.Response, error) {
	response, err := r.failureOf(s, status, codes)
	if err != nil {
		return model.Response{}, err
	}
	name := failureName(s, status, codes)
	if before, there := r.failures.Get(name); there {
		if err := same(before, response); err != nil {
			return model.Response{}, fmt.Errorf("generate: the response %s: %w", name, err)
		}
	}
	r.failures.Set(name, response)
	return model.Response{Ref: "#/components/responses/" + name}, nil
}

// failureName returns the name of a response. The name consists of the codes that not every operation on the
// surface has or, if there are none, of the surface and the status.
func failureName(s surface, status int, codes []string) string {
	var own []string
	for _, code := range codes {
		if !slices.Contains(s.codes, code) {
			own = append(own, pascal(code))
		}
	}
	if len(own) > 1 {
		own = slices.DeleteFunc(own, func(name string) bool { return name == "NotFound" })
	}
	if len(own) > 0 {
		return strings.Join(own, "Or")
	}
	return s.name + strings.ReplaceAll(http.StatusText(status), " ", "")
}

// pascal converts JOB_NOT_FOUND to JobNotFound.
func pascal(code string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(code, "_") {
		b.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return b.String()
}

func (r *responses) failureOf(s surface, status int, codes []string) (model.Response, error) {
	response := model.Response{Headers: r.headersOf(s, status, codes)}
	var lines []string
	body := model.MediaTypeBody{Schema: failureSchema(s, status, codes)}
	for _, code := range codes {
		known, there := answer.CodeOf(code)
		if !there {
			return model.Response{}, fmt.Errorf("generate: %s has no text", code)
		}
		shown := code
		if s.flat {
			shown = flatCode(status, code)
		}
		lines = append(lines, "- `"+shown+"`: "+known.Means)
		body.Examples.Set(code, model.Example{Summary: known.Means, Value: failureExample(s, status, code)})
	}
	response.Description = strings.Join(lines, "\n")
	response.Content.Set("application/json", body)
	return response, nil
}

func (r *responses) headersOf(s surface, status int, codes []string) model.Map[model.Header] {
	has := append(everywhere(), noStore)
	var may []header
	switch {
	case s.anyOrigin && status == http.StatusNotFound:
		may = append(may, crossOrigin...) // if no route matches, these headers are missing
	case s.anyOrigin:
		has = append(has, crossOrigin...)
	}
	may = append(may, s.sometimes...)
	only := func(code string) bool { return len(codes) == 1 && codes[0] == code }
	if s.metered {
		switch {
		case status == http.StatusUnauthorized:
			has = append(has, byCaller)
		case status == http.StatusTooManyRequests:
			// An invented credential belongs to no account and therefore has no budget.
			has, may = append(has, byCaller), append(may, budgetLeft...)
		case only("DEVELOPER_PLATFORM_DISABLED"):
		case status == http.StatusNotFound || status >= http.StatusInternalServerError:
			may = append(append(may, byCaller), budget...)
		default:
			has = append(append(has, byCaller), budget...)
		}
	}
	switch status {
	case http.StatusUnauthorized:
		has = append(has, s.challenge)
	case http.StatusForbidden:
		if s.metered {
			may = append(may, s.wantsScope)
		}
	case http.StatusTooManyRequests:
		has = append(append(has, retryAfter), policies...)
	case http.StatusServiceUnavailable:
		has = append(has, retryAfter)
	}
	return r.headers(has, may)
}

func flatCode(status int, code string) string {
	return oauth.FlatCode(answer.Failure{Status: status, Code: code})
}

// failureSchema returns the schema of an error response with one of the codes
// (behaviour: errors#error-formats).
func failureSchema(s surface, status int, codes []string) *model.Schema {
	if s.flat {
		var words []string
		for _, code := range codes {
			if word := flatCode(status, code); !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
		return model.Object(model.MapOf[*model.Schema](
			"error", &model.Schema{Type: model.Types{"string"}, Enum: words, Description: "What went wrong (RFC 6749 §5.2)."},
			"error_description", model.Typed("string").Described("Human text, which may change."),
		))
	}
	inner := model.MapOf[*model.Schema](
		"code", &model.Schema{Type: model.Types{"string"}, Enum: codes, Description: "What went wrong. Branch on this."},
		"message", model.Typed("string").Described("Human text, which may change."),
	)
	meta := model.Null()
	if status == http.StatusTooManyRequests {
		meta = model.Ref("RetryMeta")
	}
	return model.Object(model.MapOf[*model.Schema]("data", model.Null(), "error", model.Object(inner), "meta", meta))
}

func failureExample(s surface, status int, code string) any {
	message := s.message(code)
	if s.flat {
		return model.MapOf[any]("error", flatCode(status, code), "error_description", message)
	}
	var meta any
	if status == http.StatusTooManyRequests {
		meta = model.MapOf[any]("retryAfter", retryAfterOf[code])
	}
	return model.MapOf[any]("data", nil, "error", model.MapOf[any]("code", code, "message", message), "meta", meta)
}

// retryAfterOf maps codes to the waiting time in their examples, in seconds.
var retryAfterOf = map[string]int{"RATE_LIMIT_EXCEEDED": 12, "QUOTA_EXCEEDED": 41982}

// elsewhere returns the 404 for unknown paths and the 405 for unsupported methods, which do not belong to
// any operation.
func (r *responses) elsewhere() (all model.Map[model.Response], err error) {
	none := surface{name: "Unserved", sometimes: crossOrigin} // a 405 has these headers if the path allows other origins
	for _, code := range []string{answer.CodeNotFound, answer.CodeMethodNotAllowed} {
		status, _ := answer.StatusOf(code)
		response, err := r.failureOf(none, status, []string{code})
		if err != nil {
			return all, err
		}
		if code == answer.CodeMethodNotAllowed {
			response.Headers.Set("Allow", model.Header{Description: "Methods that the path takes.", Required: true, Schema: model.Typed("string"), Example: "GET, HEAD"})
		}
		all.Set(strconv.Itoa(status), response)
	}
	return all, nil
}
