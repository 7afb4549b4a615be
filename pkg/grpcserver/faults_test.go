package grpcserver_test

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// faulty is a service that rejects every call with a number of fields.
type faulty struct {
	candidatev1.UnimplementedMeServiceServer
	fields int
}

func (f *faulty) GetMe(context.Context, *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	faults := fault.Argument()
	for i := range f.fields {
		faults.Add(fmt.Sprintf("skills[%d]", i), "must not be blank")
	}
	return nil, faults.Err()
}

func (f *faulty) register(r grpc.ServiceRegistrar) { candidatev1.RegisterMeServiceServer(r, f) }

func TestFaultsAreTruncatedAboveAThousand(t *testing.T) {
	for _, c := range []struct {
		fields, listed int
		cut            bool
	}{{999, 999, false}, {1000, 1000, false}, {1001, 1000, true}, {5000, 1000, true}} {
		dial := start(t, &faulty{fields: c.fields})
		_, err := candidatev1.NewMeServiceClient(dial("gateway")).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{})
		e, ok := errs.As(err)
		if !ok || len(e.Violations) == 0 {
			t.Fatalf("%d fields: got %v", c.fields, err)
		}
		all := e.Violations
		last := all[len(all)-1]
		if fault.IsCut(last) {
			all = all[:len(all)-1]
		}
		if len(all) != c.listed || fault.IsCut(last) != c.cut {
			t.Errorf("%d fields: %d listed, cut %t", c.fields, len(all), fault.IsCut(last))
		}
		for _, v := range all {
			if fault.IsCut(v) || v.Field == "" {
				t.Errorf("%d fields: the entry %+v", c.fields, v)
			}
		}
	}
}
