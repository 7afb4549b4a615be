package grpcserver

import (
	"context"
	"errors"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// If the handler could not check the request, a list of contract violations would wrongly look
// complete.
func TestIncompleteDryRunReturnsCause(t *testing.T) {
	down, bug := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down"), errors.New("a bug")
	for name, c := range map[string]struct {
		handler error
		want    error // nil if a list of all faults is expected
	}{
		"no other fault":          {nil, nil},
		"a second fault":          {fault.Of(fault.CodeArgument, "b", "is wrong too"), nil},
		"follows from the fault":  {errs.New(errs.NotFound, "X", "x"), nil},
		"prevents a second fault": {errs.New(errs.Precondition, "X", "x"), nil},
		"down":                    {down, down},
		"a bug":                   {bug, bug},
		"not allowed":             {errs.New(errs.Denied, "X", "x"), errs.New(errs.Denied, "X", "x")},
	} {
		faults := fault.Argument()
		faults.Add("a", "is wrong")
		err := completed(t.Context(), faults, nil, func(context.Context, any) (any, error) { return nil, c.handler })
		if c.want == nil {
			if e, ok := errs.As(err); !ok || e.Kind != errs.Invalid || e.Field() != "a" {
				t.Errorf("%s: %v", name, err)
			}
		} else if errs.KindOf(err) != errs.KindOf(c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
