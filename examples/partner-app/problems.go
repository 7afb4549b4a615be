package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"

	"golang.org/x/oauth2"
)

// problem is the content of an error page.
type problem struct {
	Status      int
	Heading     string
	Text        string
	RetryAfter  int    // seconds, or 0 if waiting does not help or the time is unknown
	Connections string // URL of the Vitae page on which the person manages what they share, or "" to show no link
	SignedIn    bool   // shows "try again" and "sign out" instead of the sign-in button
}

// refused returns the API or token-endpoint error wrapped in err, or nil if there is none. Error codes of the token
// endpoint (RFC 6749) that concern the site's account are mapped to API error codes.
func refused(err error) *apiError {
	var e *apiError
	if errors.As(err, &e) {
		return e
	}
	var flat *oauth2.RetrieveError
	if !errors.As(err, &flat) || flat.Response == nil {
		return nil
	}
	e = &apiError{Status: flat.Response.StatusCode, Code: flat.ErrorCode, Message: flat.ErrorDescription, RetryAfter: retryAfter(flat.Response)}
	switch {
	case flat.ErrorCode == "access_denied":
		e.Code = "DEVELOPER_ACCOUNT_SUSPENDED"
	case flat.ErrorCode == "temporarily_unavailable" && e.Status == http.StatusNotFound:
		e.Code = "DEVELOPER_PLATFORM_DISABLED"
	}
	return e
}

// retryAfter returns the Retry-After header in seconds, or 0 if it is missing or invalid.
func retryAfter(resp *http.Response) int {
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return seconds
}

// noCV maps each error code that only means "there is no CV to show" to the text on the page.
var noCV = map[string]string{
	"OAUTH_INSUFFICIENT_SCOPE": "You do not share a CV with this site. If you stopped sharing it at Vitae, you can share it again there. Otherwise, sign in again and choose a CV.",
	"CV_NOT_FOUND":             "There is no CV to share yet.",
}

// explain returns the page for an API error. It branches on the code. If the code is unknown, the status determines
// whether a retry can help.
func explain(e *apiError) problem {
	switch {
	case noCV[e.Code] != "":
		return problem{Status: e.Status, Heading: "No CV", Text: noCV[e.Code]}
	case e.Code == "DEVELOPER_ACCOUNT_SUSPENDED":
		return problem{Status: http.StatusForbidden, Heading: "This site may not read from Vitae now",
			Text: "Vitae has suspended this site's account. You did nothing wrong, and your CV in Vitae has not changed."}
	case e.Code == "DEVELOPER_PLATFORM_DISABLED":
		return problem{Status: http.StatusServiceUnavailable, Heading: "No site may read from Vitae now",
			Text: "Vitae is closed to partner sites for the time being. Your CV in Vitae has not changed."}
	case e.Status == http.StatusTooManyRequests, e.Status == http.StatusServiceUnavailable:
		return problem{Status: http.StatusServiceUnavailable, Heading: "Not just now", RetryAfter: e.RetryAfter,
			Text: "Vitae is not available at the moment. Please try again " + in(e.RetryAfter) + "."}
	case e.Status >= http.StatusInternalServerError:
		return unread
	default:
		return problem{Status: http.StatusBadGateway, Heading: "That did not work",
			Text: fmt.Sprintf("Vitae rejected this site's request (%d %s).", e.Status, e.Code)}
	}
}

// unread is the page shown if a request got no usable response.
var unread = problem{Status: http.StatusBadGateway, Heading: "That did not work", Text: "This site could not reach Vitae. Please try again."}

// in formats a waiting time in words, rounded up.
func in(seconds int) string {
	count := func(n, of int, unit string) string { return fmt.Sprintf("in %d %s", (n+of-1)/of, unit) }
	switch {
	case seconds <= 1:
		return "in a moment"
	case seconds < 120:
		return count(seconds, 1, "seconds")
	case seconds < 2*3600:
		return count(seconds, 60, "minutes")
	default:
		return count(seconds, 3600, "hours")
	}
}

// failed shows the page for a failed API request. If access has ended, it signs the person out instead.
func (s *site) failed(w http.ResponseWriter, r *http.Request, err error) {
	no := refused(err)
	if isOver(err) || no != nil && (no.Code == "OAUTH_INVALID_TOKEN" || no.Code == "CONNECTION_NOT_FOUND") {
		// Tokens are refreshed before they expire, so an invalid one was revoked.
		s.signedOut(w, r, notice{Text: "Vitae has ended this site's access, perhaps because you disconnected it there. Sign in again to reconnect."})
		return
	}
	log.Printf("partner-app: %v", err)
	p := unread
	if no != nil {
		p = explain(no)
	}
	p.SignedIn = true
	s.problem(w, p)
}

// signInProblem returns the page for a failed sign-in.
func signInProblem(err error) problem {
	failed := problem{Status: http.StatusBadRequest, Heading: "That did not work"}
	var d declined
	no := refused(err)
	switch {
	case errors.As(err, &d) && d.code == "access_denied":
		// The person chose to decline, so this is not an error.
		return problem{Status: http.StatusOK, Heading: "You chose not to connect",
			Text: "Nothing has changed. You can connect whenever you like."}
	case errors.As(err, &d):
		failed.Text = fmt.Sprintf("Vitae could not sign you in (%s). Please try again.", d.code)
	case errors.Is(err, errWrongState):
		failed.Text = "This response does not belong to a sign-in that you started in this browser. Please start again."
	case errors.Is(err, errWrongIssuer):
		failed.Text = "This response does not come from Vitae, so it was ignored. Please start again."
	case no != nil && !isOver(err):
		return explain(no)
	default:
		failed.Text = "The sign-in could not be completed. Please try again."
	}
	return failed
}

// notDisconnected returns the page for a failed revocation.
func (s *site) notDisconnected(err error) problem {
	p := problem{Status: http.StatusBadGateway, Heading: "You are still connected",
		Text: "Vitae did not confirm that you are disconnected, so you are still signed in. Please try again."}
	if no := refused(err); no != nil {
		switch because := explain(no); because.Status {
		case http.StatusForbidden, http.StatusServiceUnavailable:
			p.Status, p.Text, p.RetryAfter = because.Status, because.Text, because.RetryAfter
		}
	}
	p.SignedIn, p.Connections = true, s.provider.connections()
	return p
}

func (s *site) problem(w http.ResponseWriter, p problem) {
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	s.render(w, p.Status, "problem.html", p)
}
