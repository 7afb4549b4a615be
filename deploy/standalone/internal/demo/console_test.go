package demo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/deploy/standalone/internal/demo"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// fakeAuth is a fake auth service. If down is set, it fails once after it has stored the plan request.
type fakeAuth struct {
	authv1.MemberServiceClient
	authv1.DeveloperServiceClient
	down    bool
	invited map[string]optionsv1.Role
	calls   int
	plan    *authv1.RequestPlanRequest
}

func (d *fakeAuth) CreateInvitation(_ context.Context, r *authv1.CreateInvitationRequest, _ ...grpc.CallOption) (*authv1.CreateInvitationResponse, error) {
	d.calls++
	if r.GetAccountId() != "dev_1" {
		return nil, errors.New("another account: " + r.GetAccountId())
	}
	d.invited[r.GetEmail()] = r.GetRole()
	return &authv1.CreateInvitationResponse{}, nil
}

func (d *fakeAuth) RequestPlan(_ context.Context, r *authv1.RequestPlanRequest, _ ...grpc.CallOption) (*authv1.RequestPlanResponse, error) {
	d.calls++
	if d.plan != nil {
		return nil, errs.New(errs.Precondition, "PLAN_REQUEST_OPEN", "open")
	}
	d.plan = r
	if d.down {
		d.down = false
		return nil, errors.New("the response is lost")
	}
	return &authv1.RequestPlanResponse{}, nil
}

func (d *fakeAuth) operators() demo.Operators { return demo.Operators{Members: d, Developers: d} }

func TestDemoAccountHasOpenRequests(t *testing.T) {
	d, auth := imported(t), &fakeAuth{down: true, invited: map[string]optionsv1.Role{}}
	if err := d.Keep("console.pending", nil); err != nil {
		t.Fatal(err)
	}
	if err := demo.SeedConsole(t.Context(), d, auth.operators(), world90); err == nil {
		t.Fatal("no error although the last response was lost")
	}
	if err := demo.SeedConsole(t.Context(), d, auth.operators(), world90); err != nil {
		t.Fatal(err)
	}
	if len(auth.invited) == 0 || auth.plan.GetAccountId() != "dev_1" || auth.plan.GetPlan().GetPerDay() == 0 || auth.plan.GetReason() == "" {
		t.Fatalf("%v, %v", auth.invited, auth.plan)
	}
	for email, role := range auth.invited {
		if role == optionsv1.Role_ROLE_UNSPECIFIED {
			t.Errorf("%s has no role", email)
		}
	}
	before := auth.calls
	if err := demo.SeedConsole(t.Context(), d, auth.operators(), world90); err != nil || auth.calls != before {
		t.Errorf("a later start creates them again: %v", err)
	}
}

func TestOtherWorldHasNoOpenRequests(t *testing.T) {
	d, auth := imported(t), &fakeAuth{invited: map[string]optionsv1.Role{}}
	file := filepath.Join(t.TempDir(), "console.json")
	seed := func() error {
		if err := d.Keep("console.pending", nil); err != nil {
			t.Fatal(err)
		}
		return demo.SeedConsole(t.Context(), d, auth.operators(), filepath.Join(filepath.Dir(file), "world.json"))
	}
	if err := seed(); err != nil || auth.calls != 0 {
		t.Errorf("%v, %d calls", err, auth.calls)
	}
	for _, bad := range []string{"{", "{}", `{"account": "gone"}`} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := seed(); err == nil || auth.calls != 0 {
			t.Errorf("%s is accepted", bad)
		}
	}
}
