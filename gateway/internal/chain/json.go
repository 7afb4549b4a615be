package chain

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// ReadJSON reads a body whose Content-Type is JSON. It does not parse the text.
// Errors: UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PUBLIC_API_VALIDATION_ERROR.
func ReadJSON(r *http.Request) ([]byte, error) {
	types := r.Header.Values("Content-Type")
	if len(types) != 1 {
		return nil, errNotJSON
	}
	if mediaType, _, err := mime.ParseMediaType(types[0]); err != nil || mediaType != answer.ContentTypeJSON {
		return nil, errNotJSON
	}
	for _, coding := range r.Header.Values("Content-Encoding") {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return nil, errEncoded
		}
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyError(err)
	}
	return raw, nil
}

var (
	errNotJSON = answer.UnsupportedType("The request body must be application/json.")
	errEncoded = answer.UnsupportedType("The request body must have no content coding.")
)

func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return answer.PayloadTooLarge()
	}
	if refused, ok := errs.As(err); ok {
		return refused
	}
	return fault.InJSON("body", "could not be read").WithCause(err)
}
