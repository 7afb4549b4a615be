package web

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
)

// failurePage is the template of error pages.
const failurePage = "error"

// Failure describes how a site shows errors with a particular code.
type Failure struct {
	// Status is the HTTP status.
	Status int
	// Message is the prefix of two message keys: Message+".title" and Message+".text". With status 429 or 503,
	// the text has the placeholder {wait}.
	Message string
}

// failureView is the data of the error page. It never contains the error.
type failureView struct {
	// Message is Failure.Message.
	Message string
	// Wait is the time to wait, in the visitor's language, or "" if unknown.
	Wait string
	// Reference is the request id.
	Reference string
	// Again is the path of the page to reopen, or "" for the start page.
	Again string
	// around is the layout data from Config.Around.
	around any
}

// Around returns the layout data. See Config.Around.
func (v failureView) Around() any { return v.around }

// forbidden is the message for a form that is no longer valid.
const forbidden = "error.forbidden"

// explained maps error codes to their own messages. Other codes use the message of their status.
var explained = map[string]Failure{
	codeForged:    {http.StatusForbidden, forbidden},
	codeMalformed: {http.StatusBadRequest, "error.bad_request"},
}

var messageOf = map[int]string{
	http.StatusBadRequest:            "error.bad_request",
	http.StatusForbidden:             forbidden,
	http.StatusNotFound:              "error.not_found",
	http.StatusMethodNotAllowed:      "error.method",
	http.StatusRequestEntityTooLarge: "error.too_large",
	http.StatusUnsupportedMediaType:  "error.media_type",
	http.StatusTooManyRequests:       "error.slowed",
	http.StatusServiceUnavailable:    "error.unavailable",
}

var internal = Failure{http.StatusInternalServerError, "error.internal"}

// Fail writes an error page. It logs the cause of internal errors but does not show it.
func (s *Site) Fail(w http.ResponseWriter, r *http.Request, err error) {
	s.securityHeaders(w.Header())
	Personal(w.Header())
	f, retryAfter := s.failureOf(err)
	if f.Status >= http.StatusInternalServerError {
		s.cfg.Log.ErrorContext(r.Context(), "page failed", "request_id", grpcx.RequestID(r.Context()), "error", err.Error())
	}
	s.showFailure(w, r, f, retryAfter)
}

// failureOf returns the Failure to show for an error, and how many seconds to wait before retrying, or 0
// if unknown.
func (s *Site) failureOf(err error) (f Failure, retryAfter int) {
	common := answer.FailureOf(err)
	f, retryAfter = Failure{common.Status, messageOf[common.Status]}, common.RetryAfter
	if e, ok := errs.As(err); ok {
		known, isKnown := s.cfg.Failures[e.Code]
		if !isKnown {
			known, isKnown = explained[e.Code]
		}
		if isKnown {
			f, retryAfter = known, answer.WholeSeconds(e.RetryAfter)
		}
	}
	if f.Message == "" {
		f = internal
	}
	return f, retryAfter
}

func (s *Site) showFailure(w http.ResponseWriter, r *http.Request, f Failure, retryAfter int) {
	language := s.Language(r)
	v := failureView{Message: f.Message, Reference: grpcx.RequestID(r.Context())}
	if f.waits() {
		retryAfter = max(retryAfter, 1)
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
		v.Wait, _ = language.Wait(time.Duration(retryAfter) * time.Second) // New has checked that the message exists
	}
	if f.Message == forbidden {
		v.Again = s.cfg.FormPath(r)
	}
	title, _ := language.Text(f.Message + ".title") // New has checked that the message exists
	view := View{Title: title, Switch: s.switchOf(r, language)}
	if s.cfg.Around != nil {
		var visitor Visitor
		if visitor, v.around = s.cfg.Around(r); visitor != nil {
			s.Identify(&view, visitor)
		}
	}
	view.Data = v
	if err := s.render(w, r, language, f.Status, failurePage, view); err != nil {
		s.cfg.Log.ErrorContext(r.Context(), "error page failed", "error", err.Error())
		http.Error(w, http.StatusText(f.Status), f.Status)
	}
}

func (f Failure) waits() bool {
	return f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable
}

// tryFailures renders every error page in every language at startup. Otherwise, a broken error page would be
// noticed only after something else has failed.
func (s *Site) tryFailures() error {
	all := []Failure{internal}
	for status, message := range messageOf {
		all = append(all, Failure{status, message})
	}
	for _, own := range s.cfg.Failures {
		all = append(all, own)
	}
	for _, language := range s.catalog.Languages() {
		for _, f := range all {
			title, err := language.Text(f.Message + ".title")
			if err != nil {
				return fmt.Errorf("%s: %w", s.cfg.Name, err)
			}
			v := failureView{Message: f.Message, Again: "/"}
			if f.waits() {
				if v.Wait, err = language.Wait(time.Second); err != nil {
					return fmt.Errorf("%s: %w", s.cfg.Name, err)
				}
			}
			if err := s.draw(io.Discard, language, failurePage, layout, View{Title: title, Data: v}); err != nil {
				return err
			}
		}
	}
	return nil
}
