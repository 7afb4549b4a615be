package faults_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/suite"
)

// judgeAnswers compares every answer of the system from now on with the OpenAPI
// document: while a part is broken, the REST API may answer only what the document
// announces.
//
// The load sends the same requests over and over. Answers that differ from a judged one
// only in the values of their headers are not judged again, because that would cost more
// than what is measured.
func (s *system) judgeAnswers(t *testing.T) {
	t.Helper()
	var known sync.Map
	err := suite.JudgeResponses(t.Context(), s.Stack, func(req *http.Request, a partner.Response) bool {
		same := fmt.Sprint(req.Method, req.URL, a.Status, slices.Sorted(maps.Keys(a.Header)), sha256.Sum256(a.Body))
		_, judged := known.LoadOrStore(same, true)
		return judged
	})
	if err != nil {
		t.Fatal(err)
	}
}
