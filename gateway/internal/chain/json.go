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

// ReadJSON reads a body whose Content-Type is JSON, without parsing it. It returns UNSUPPORTED_MEDIA_TYPE,
// PAYLOAD_TOO_LARGE or PUBLIC_API_VALIDATION_ERROR.
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
		return nil, BodyError(err, fault.InJSON("body", "could not be read"))
	}
	return raw, nil
}

var (
	errNotJSON = answer.UnsupportedType("The request body must be application/json.")
	errEncoded = answer.UnsupportedType("The request body must have no content coding.")
)

// BodyError returns the error for the client if a body cannot be read: PAYLOAD_TOO_LARGE, the error from
// Exchange.Hold or, if the connection failed, the error in otherwise.
func BodyError(err error, otherwise *errs.Error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return answer.PayloadTooLarge()
	}
	if refused, ok := errs.As(err); ok {
		return refused
	}
	return otherwise.WithCause(err)
}
