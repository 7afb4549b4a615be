package faults_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/contract"
	"vitae.internal/e2e/internal/partner"
)

// judge holds every answer against the OpenAPI document: what breaks behind an edge
// must not make it say what nobody was told to expect.
var judge *contract.Judge

// judgeAnswers reads the document of a system that is whole and has every answer of
// its edges judged from now on. Load asks the same over and over: an answer that
// differs from one that was judged in the values of its headers alone is not judged
// again, which would cost more than what is measured.
func (s *system) judgeAnswers(t *testing.T) {
	t.Helper()
	a := must(partner.Get(t.Context(), s.BaseURLs[0]+"/v1/openapi.json", ""))(t)
	if a.Status != http.StatusOK {
		t.Fatalf("the OpenAPI document: %s", a)
	}
	judge = must(contract.New(a.Body))(t)
	var known sync.Map
	partner.Watch = func(req *http.Request, sent []byte, a partner.Answer) error {
		if !slices.Contains(s.BaseURLs, "http://"+req.URL.Host) {
			return nil
		}
		same := fmt.Sprint(req.Method, req.URL, a.Status, slices.Sorted(maps.Keys(a.Header)), sha256.Sum256(a.Body))
		if _, judged := known.LoadOrStore(same, true); judged {
			return nil
		}
		return judge.Judge(contract.Exchange{Request: req, Sent: sent, Status: a.Status, Header: a.Header, Body: a.Body})
	}
}

// verdict is the suite's exit status, which an answer that is not as documented makes
// a failure, also where the load overlooks that a request failed.
func verdict(code int) int {
	if judge == nil || judge.First() == nil {
		return code
	}
	fmt.Fprintln(os.Stderr, "--- FAIL: an answer is not as the OpenAPI document says:", judge.First())
	return max(code, 1)
}
