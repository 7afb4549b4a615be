package shell

import (
	"net/http"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/web"
)

// FieldFault pairs a form field with the key of its error message. Key is "" if the field is valid.
type FieldFault struct{ Field, Key string }

// At returns the FieldFault of a field.
func At(field, key string) FieldFault { return FieldFault{field, key} }

// Faults returns the error messages of the fields.
func (s *Shell) Faults(r *http.Request, fields ...FieldFault) ([]web.Fault, error) {
	var faults []web.Fault
	for _, one := range fields {
		if one.Key == "" {
			continue
		}
		fault, err := s.Fault(r, one.Field, one.Key)
		if err != nil {
			return nil, err
		}
		faults = append(faults, fault)
	}
	return faults, nil
}

// Waits returns an error message with the time that the person has to wait, and sets Retry-After
// (behaviour: sign-in#limit-on-guesses-per-account, sign-in#queue-of-password-checks).
func (s *Shell) Waits(w http.ResponseWriter, r *http.Request, field, key string, retryAfter time.Duration) (web.Fault, error) {
	seconds := max(1, answer.WholeSeconds(retryAfter))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	duration, err := s.Language(r).Wait(time.Duration(seconds) * time.Second)
	if err != nil {
		return web.Fault{}, err
	}
	return s.Fault(r, field, key, "wait", duration)
}
