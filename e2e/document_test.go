package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"vitae.internal/e2e/internal/contract"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/stack"
)

// openAPI is what the edge says of itself, and judge what holds every answer of the
// suite against it. Both are of the stack that the tests share, and hold for all.
var (
	openAPI []byte
	judge   *contract.Judge
)

// edgeHosts are the hosts of the REST edges of every stack.
var edgeHosts sync.Map

// judged adds the edges of a stack to those whose answers are judged.
func judged(s *stack.Stack) *stack.Stack {
	for _, base := range s.BaseURLs {
		if u, err := url.Parse(base); err == nil {
			edgeHosts.Store(u.Host, true)
		}
	}
	return s
}

// judgeAnswers reads the document of a stack and has every answer judged from now on.
func judgeAnswers(ctx context.Context, s *stack.Stack) error {
	a, err := partner.Get(ctx, s.BaseURLs[0]+"/v1/openapi.json", "")
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return fmt.Errorf("the OpenAPI document: %s", a)
	}
	openAPI = a.Body
	if judge, err = contract.New(openAPI); err != nil {
		return err
	}
	partner.Watch = func(req *http.Request, sent []byte, a partner.Answer) error {
		if _, ours := edgeHosts.Load(req.URL.Host); !ours {
			return nil
		}
		return judge.Judge(contract.Exchange{Request: req, Sent: sent, Status: a.Status, Header: a.Header, Body: a.Body})
	}
	return nil
}

// differences says what was found, also where a test overlooks that a request failed.
func differences() error {
	if judge == nil {
		return nil
	}
	return judge.First()
}
