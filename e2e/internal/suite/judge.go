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

// judge compares answers with OpenAPI. It is nil until JudgeAnswers has run.
var judge *contract.Judge

// hosts are the hosts of the REST API of every stack.
var hosts sync.Map

func judged(s *stack.Stack) {
	for _, base := range s.BaseURLs {
		if u, err := url.Parse(base); err == nil {
			hosts.Store(u.Host, true)
		}
	}
}

// Known reports whether a similar answer has been judged before.
type Known func(*http.Request, partner.Answer) bool

// JudgeAnswers reads the OpenAPI document of a stack. Package partner then returns an error for
// every answer of the REST API that differs from it, unless it is known.
func JudgeAnswers(ctx context.Context, s *stack.Stack, known Known) error {
	judged(s)
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
	partner.Watch = func(req *http.Request, sent []byte, a partner.Answer) error {
		if _, ours := hosts.Load(req.URL.Host); !ours || known != nil && known(req, a) {
			return nil
		}
		return judge.Judge(contract.Exchange{Request: req, Sent: sent, Status: a.Status, Header: a.Header, Body: a.Body})
	}
	return nil
}

// Verdict is the exit status of the tests. An answer that differs from the document is a failure,
// even if the test ignored the error.
func Verdict(code int) int {
	if judge == nil {
		return code
	}
	if err := judge.First(); err != nil {
		fmt.Fprintln(os.Stderr, "--- FAIL: an answer differs from the OpenAPI document:", err)
		return max(code, 1)
	}
	return code
}
