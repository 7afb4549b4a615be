package generate

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
)

// fail adds the failures of an operation, one answer for each status. Operations
// with the same codes share the answer.
func (b *builder) fail(op *Operation, s surface, codes []string) error {
	byStatus := map[int][]string{}
	for _, code := range slices.Concat(s.codes, codes) {
		status, public := answer.StatusOf(code)
		if !public {
			return fmt.Errorf("generate: %s answers with %s, which is no public code", op.OperationID, code)
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
		ref, err := b.failure(s, status, byStatus[status])
		if err != nil {
			return err
		}
		op.Responses.Set(strconv.Itoa(status), ref)
	}
	return nil
}

// failure returns a reference to the answer for a status and its codes.
func (b *builder) failure(s surface, status int, codes []string) (Response, error) {
	response, err := b.failureOf(s, status, codes)
	if err != nil {
		return Response{}, err
	}
	name := failureName(s, status, codes)
	if before, there := b.doc.Components.Responses.Get(name); there {
		if err := same(before, response); err != nil {
			return Response{}, fmt.Errorf("generate: the answer %s: %w", name, err)
		}
	}
	b.doc.Components.Responses.Set(name, response)
	return Response{Ref: "#/components/responses/" + name}, nil
}

// failureName names an answer by the codes that are special to the operation,
// otherwise by surface and status.
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

// pascal turns JOB_NOT_FOUND into JobNotFound.
func pascal(code string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(code, "_") {
		b.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return b.String()
}

func (b *builder) failureOf(s surface, status int, codes []string) (Response, error) {
	response := Response{Headers: b.failureHeaders(s, status, codes)}
	var lines []string
	body := MediaTypeBody{Schema: failureSchema(s, status, codes)}
	for _, code := range codes {
		known, there := answer.TextOf(code)
		if !there {
			return Response{}, fmt.Errorf("generate: nothing is said of %s", code)
		}
		shown := code
		if s.flat {
			shown = flatCode(status, code)
		}
		lines = append(lines, "- `"+shown+"`: "+known.Means)
		body.Examples.Set(code, Example{Summary: known.Means, Value: failureExample(s, status, code)})
	}
	response.Description = strings.Join(lines, "\n")
	response.Content.Set("application/json", body)
	return response, nil
}

func (b *builder) failureHeaders(s surface, status int, codes []string) Map[Header] {
	has := append(everywhere(), noStore)
	var may []header
	switch {
	case s.anyOrigin && status == http.StatusNotFound:
		may = append(may, crossOrigin...) // an address that matches no route is no such path
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
			// An address that makes up credentials has no account with a budget.
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
	return b.headers(has, may)
}

func flatCode(status int, code string) string {
	return oauth.FlatCode(answer.Failure{Status: status, Code: code})
}

// failureSchema is the body of a failure with one of the codes
// (behaviour: errors#error-formats).
func failureSchema(s surface, status int, codes []string) *Schema {
	if s.flat {
		var words []string
		for _, code := range codes {
			if word := flatCode(status, code); !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
		var flat Map[*Schema]
		flat.Set("error", &Schema{Type: Types{"string"}, Enum: words, Description: "What went wrong (RFC 6749 §5.2)."})
		flat.Set("error_description", typed("string").described("Human text, which may change."))
		return object(flat)
	}
	var inner, outer Map[*Schema]
	inner.Set("code", &Schema{Type: Types{"string"}, Enum: codes, Description: "What went wrong. Branch on this."})
	inner.Set("message", typed("string").described("Human text, which may change."))
	meta := null()
	if status == http.StatusTooManyRequests {
		meta = schemaRef("RetryMeta")
	}
	outer.Set("data", null())
	outer.Set("error", object(inner))
	outer.Set("meta", meta)
	return object(outer)
}

func failureExample(s surface, status int, code string) any {
	message := s.message(code)
	if s.flat {
		var flat Map[any]
		flat.Set("error", flatCode(status, code))
		flat.Set("error_description", message)
		return flat
	}
	var inner, outer Map[any]
	inner.Set("code", code)
	inner.Set("message", message)
	outer.Set("data", nil)
	outer.Set("error", inner)
	outer.Set("meta", nil)
	if status == http.StatusTooManyRequests {
		var retry Map[any]
		retry.Set("retryAfter", retryAfterOf[code])
		outer.Set("meta", retry)
	}
	return outer
}

// retryAfterOf are the waits in the examples, in seconds.
var retryAfterOf = map[string]int{"RATE_LIMIT_EXCEEDED": 12, "QUOTA_EXCEEDED": 41982}
