package grpcserver_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/grpcserver"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// judge is a service that rejects every person.
type judge struct {
	authv1.UnimplementedPeopleServiceServer
	calls int
	// more is the number of additional faults.
	more int
}

func (j *judge) register(r grpc.ServiceRegistrar) { authv1.RegisterPeopleServiceServer(r, j) }

func (j *judge) CreatePerson(context.Context, *authv1.CreatePersonRequest) (*authv1.CreatePersonResponse, error) {
	j.calls++
	faults := fault.Argument()
	for i := range j.more {
		faults.Add(fmt.Sprintf("skills[%d].name", i), "must be at most 300 characters")
	}
	faults.Add("email", "must not be asked about twice")
	faults.Add("uae_pass_verified", "must be false")
	return nil, faults.Err()
}

func TestDryRunListsContractAndHandlerFaults(t *testing.T) {
	j := &judge{}
	people := authv1.NewPeopleServiceClient(start(t, j)("vitaectl"))
	paths := func(dry bool) []string {
		_, err := people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: strings.Repeat("n", 255), Password: "x", ValidateOnly: dry})
		e, ok := errs.As(err)
		if !ok || e.Kind != errs.Invalid {
			t.Fatalf("got %v", err)
		}
		var paths []string
		for _, v := range e.Violations {
			paths = append(paths, v.Field)
		}
		return paths
	}
	if got := paths(true); !slices.Equal(got, []string{"email", "password", "uae_pass_verified"}) || j.calls != 1 {
		t.Errorf("dry run: faults in %q, handler called %d times", got, j.calls)
	}
	if got := paths(false); !slices.Equal(got, []string{"email", "password"}) || j.calls != 1 {
		t.Errorf("faults in %q; the handler was called %d times, but must not receive invalid requests", got, j.calls)
	}
}

func TestUndetectedDryRunPreventsStart(t *testing.T) {
	field := func(name string, kind descriptorpb.FieldDescriptorProto_Type, dry bool) *descriptorpb.FieldDescriptorProto {
		f := &descriptorpb.FieldDescriptorProto{
			Name: proto.String(name), Number: proto.Int32(1), Type: kind.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		}
		if dry {
			f.Options = &descriptorpb.FieldOptions{}
			proto.SetExtension(f.Options, optionsv1.E_DryRun, true)
		}
		return f
	}
	list := field("validate_only", descriptorpb.FieldDescriptorProto_TYPE_BOOL, true)
	list.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
	access := &optionsv1.Access{Callers: []string{"vitaectl"}}
	for name, f := range map[string]*descriptorpb.FieldDescriptorProto{
		"DryWithoutOption": field("validate_only", descriptorpb.FieldDescriptorProto_TYPE_BOOL, false),
		"DryByOtherName":   field("check_only", descriptorpb.FieldDescriptorProto_TYPE_BOOL, true),
		"DryByNumber":      field("validate_only", descriptorpb.FieldDescriptorProto_TYPE_INT32, true),
		"DryByList":        list,
	} {
		_, err := serving(t, serviceWith(t, name, access, func(context.Context) error { return nil }, f))
		if err == nil || !strings.Contains(err.Error(), "vitae.test."+name+"Request."+f.GetName()) {
			t.Errorf("%s: want an error that names the field, got %v", name, err)
		}
	}
	inside := field("description", descriptorpb.FieldDescriptorProto_TYPE_MESSAGE, false)
	inside.TypeName = proto.String(".vitae.candidate.v1.ResumeDescription")
	_, err := serving(t, serviceWith(t, "DryInside", access, func(context.Context) error { return nil }, inside))
	if err == nil || !strings.Contains(err.Error(), "vitae.candidate.v1.ResumeDescription.validate_only") {
		t.Errorf("a dry run nested in the request of a unary method: %v", err)
	}
	sound := field("validate_only", descriptorpb.FieldDescriptorProto_TYPE_BOOL, true)
	if _, err := serving(t, serviceWith(t, "DryAndValid", access, func(context.Context) error { return nil }, sound)); err != nil {
		t.Error(err)
	}
}

func TestLongListOfFaultsIsTransmitted(t *testing.T) {
	people := authv1.NewPeopleServiceClient(start(t, &judge{more: 5000})("vitaectl"))
	_, err := people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: "one@vitae.example", Password: "long enough"})
	e, ok := errs.As(err)
	if !ok || e.Kind != errs.Invalid || len(e.Violations) != 1001 || !fault.IsCut(e.Violations[1000]) {
		t.Errorf("got %v", err)
	}
}

func TestDryRunIsFoundInStreamMessages(t *testing.T) {
	upload := candidatev1.File_vitae_candidate_v1_intake_proto.Messages().ByName("UploadResumeRequest")
	got := grpcserver.DryRunFields(upload)
	if len(got) != 1 || got[0].FullName() != "vitae.candidate.v1.ResumeDescription.validate_only" {
		t.Errorf("found %v", got)
	}
}
