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

// judgeResponses compares every response of the system from now on with the OpenAPI document: even
// during a fault, the REST API may only send documented responses.
//
// The load repeats the same requests. A response that differs from a judged response only in header
// values is not judged again, because that would cost more than the load itself.
func (s *system) judgeResponses(t *testing.T) {
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
