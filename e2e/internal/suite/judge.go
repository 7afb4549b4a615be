package suite

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync"

	"vitae.internal/e2e/internal/contract"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/stack"
)

// OpenAPI is the document of GET /v1/openapi.json. It is the same for every stack.
var OpenAPI []byte

// judge compares responses with OpenAPI. It is nil until JudgeResponses is called.
var judge *contract.Judge

// hosts holds the hosts of the REST API of every stack.
var hosts sync.Map

func judgeHosts(s *stack.Stack) {
	for _, base := range s.BaseURLs {
		if u, err := url.Parse(base); err == nil {
			hosts.Store(u.Host, true)
		}
	}
}

// Known reports whether a similar response has been judged before.
type Known func(*http.Request, partner.Response) bool

// JudgeResponses reads the OpenAPI document of a stack. From then on, package partner returns an error
// for every REST API response that differs from the document, unless known returns true for it.
func JudgeResponses(ctx context.Context, s *stack.Stack, known Known) error {
	judgeHosts(s)
	a, err := partner.Get(ctx, s.BaseURLs[0]+"/v1/openapi.json", "")
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return fmt.Errorf("the OpenAPI document: %s", a)
	}
	OpenAPI = a.Body
	if judge, err = contract.New(OpenAPI); err != nil {
		return err
	}
	partner.Watch = func(req *http.Request, sent []byte, a partner.Response) error {
		if _, ours := hosts.Load(req.URL.Host); !ours || known != nil && known(req, a) {
			return nil
		}
		return judge.Judge(contract.Exchange{Request: req, Sent: sent, Status: a.Status, Header: a.Header, Body: a.Body})
	}
	return nil
}

// Verdict returns the exit status of the tests. If any response differed from the document, the tests
// fail, even if a test ignored the error.
func Verdict(code int) int {
	if judge == nil {
		return code
	}
	if err := judge.First(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL: a response differs from the OpenAPI document:", err)
		return max(code, 1)
	}
	return code
}
