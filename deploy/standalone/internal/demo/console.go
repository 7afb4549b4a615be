package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// consolePending is the name of a file in the data folder. It exists until the open requests of an imported world have
// been created.
const consolePending = "console.pending"

// openRequests is the content of console.json, which describes open requests in the console of one account. The file is next
// to the world file (docs/world-file.md).
type openRequests struct {
	Account     string
	Invitations []struct{ Email, Role string }
	PlanRequest *struct {
		PerMinute, PerDay int32
		Reason            string
	}
}

var roles = map[string]optionsv1.Role{
	"owner": optionsv1.Role_ROLE_OWNER, "developer": optionsv1.Role_ROLE_DEVELOPER, "viewer": optionsv1.Role_ROLE_VIEWER,
}

// Operators holds the clients that create open requests.
type Operators struct {
	Members    authv1.MemberServiceClient
	Developers authv1.DeveloperServiceClient
}

// SeedConsole creates the invitations and the plan request in the file console.json next to a world file. It does
// nothing if that file does not exist. It may be repeated, because an invitation replaces an earlier one to the same
// email address.
func SeedConsole(ctx context.Context, d *datadir.Dir, to Operators, world string) error {
	if _, err := os.Stat(d.File(consolePending)); world == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file := filepath.Join(filepath.Dir(world), "console.json")
	var w openRequests
	switch err := readJSON(file, &w); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := w.seed(ctx, d, to); err != nil {
			return fmt.Errorf("seed %s: %w", file, err)
		}
	}
	return os.Remove(d.File(consolePending))
}

func (w openRequests) seed(ctx context.Context, d *datadir.Dir, to Operators) error {
	var made things
	if err := readJSON(d.File(Printed), &made); err != nil {
		return err
	}
	account := made.Developers[w.Account].ID
	if account == "" {
		return fmt.Errorf("%q is not in the world", w.Account)
	}
	for _, i := range w.Invitations {
		_, err := to.Members.CreateInvitation(ctx, &authv1.CreateInvitationRequest{AccountId: account, Email: i.Email, Role: roles[i.Role]})
		if err != nil {
			return err
		}
	}
	if w.PlanRequest == nil {
		return nil
	}
	_, err := to.Developers.RequestPlan(ctx, &authv1.RequestPlanRequest{
		AccountId: account, Reason: w.PlanRequest.Reason,
		Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: w.PlanRequest.PerMinute, PerDay: w.PlanRequest.PerDay},
	})
	if refusal, ok := errs.As(err); ok && refusal.Code == "PLAN_REQUEST_OPEN" {
		return nil // an interrupted start has created it
	}
	return err
}
