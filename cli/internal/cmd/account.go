package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) accountCommand() *cobra.Command {
	suspend := &cobra.Command{
		Use:   "suspend ID",
		Short: "Refuse every app of the account from now on",
		Args:  cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.Developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: args[0]})
			if err != nil {
				return err
			}
			return a.showAccount(resp.GetAccount())
		}),
	}
	resume := &cobra.Command{
		Use:   "resume ID",
		Short: "Lift a suspension",
		Args:  cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.Developers.ResumeAccount(ctx, &authv1.ResumeAccountRequest{Id: args[0]})
			if err != nil {
				return err
			}
			return a.showAccount(resp.GetAccount())
		}),
	}
	return group("account", "Manage developer accounts", a.accountListCommand(), a.accountFindCommand(), a.accountCreateCommand(),
		a.accountVerifyCommand(), a.accountUnverifyCommand(), a.accountCloseCommand(), suspend, resume, a.accountPlanCommand())
}

var planNames = map[string]authv1.PlanName{
	"standard": authv1.PlanName_PLAN_NAME_STANDARD,
	"elevated": authv1.PlanName_PLAN_NAME_ELEVATED,
	"custom":   authv1.PlanName_PLAN_NAME_CUSTOM,
}

func (a *app) accountPlanCommand() *cobra.Command {
	var perMinute, perDay int32
	c := &cobra.Command{
		Use:   "plan ID standard|elevated|custom [--per-minute N --per-day N]",
		Short: "Change the request budget of the account",
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.Developers.SetAccountPlan(ctx, &authv1.SetAccountPlanRequest{
				Id:   args[0],
				Plan: &authv1.Plan{Name: planNames[args[1]], PerMinute: perMinute, PerDay: perDay},
			})
			if err != nil {
				return err
			}
			return a.showAccount(resp.GetAccount())
		}),
	}
	c.Flags().Int32Var(&perMinute, "per-minute", 0, "requests per minute, for a custom plan")
	c.Flags().Int32Var(&perDay, "per-day", 0, "requests per UTC day, for a custom plan")
	c.MarkFlagsRequiredTogether("per-minute", "per-day")
	c.Args = func(c *cobra.Command, args []string) error {
		if err := cobra.ExactArgs(2)(c, args); err != nil {
			return err
		}
		name, known := planNames[args[1]]
		figures := c.Flags().Changed("per-minute")
		switch {
		case !known:
			return fmt.Errorf("the plan must be standard, elevated or custom, not %q", args[1])
		case name == authv1.PlanName_PLAN_NAME_CUSTOM && !figures:
			return errors.New("a custom plan needs --per-minute and --per-day")
		case name != authv1.PlanName_PLAN_NAME_CUSTOM && (figures || c.Flags().Changed("per-day")):
			return errors.New("--per-minute and --per-day are for a custom plan")
		}
		return nil
	}
	return c
}

// account is the JSON form of an account.
type account struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Email       string  `json:"email"`
	Plan        plan    `json:"plan"`
	SuspendedAt *string `json:"suspendedAt"`
	CreatedAt   *string `json:"createdAt"`
}

type plan struct {
	Name      string `json:"name"`
	PerMinute int32  `json:"perMinute"`
	PerDay    int32  `json:"perDay"`
}

func newPlan(from *authv1.Plan) plan {
	p := plan{PerMinute: from.GetPerMinute(), PerDay: from.GetPerDay()}
	for word, name := range planNames {
		if name == from.GetName() {
			p.Name = word
		}
	}
	return p
}

func newAccount(d *authv1.Account) account {
	return account{
		ID: d.GetId(), Name: d.GetName(), Email: d.GetEmail(), Plan: newPlan(d.GetPlan()),
		SuspendedAt: moment(d.GetSuspendedAt()), CreatedAt: moment(d.GetCreatedAt()),
	}
}

// String is the plan for a person to read.
func (p plan) String() string {
	return fmt.Sprintf("%s, %d a minute, %d a day", p.Name, p.PerMinute, p.PerDay)
}

func (a *app) showAccount(d *authv1.Account) error {
	shown := newAccount(d)
	state := "active"
	if d.GetSuspendedAt() != nil {
		state = "suspended since " + when(d.GetSuspendedAt())
	}
	return a.show(shown,
		fmt.Sprintf("%s  %s  %s", d.GetId(), d.GetName(), state),
		fmt.Sprintf("plan %s: %d requests a minute, %d a day", shown.Plan.Name, shown.Plan.PerMinute, shown.Plan.PerDay),
	)
}
