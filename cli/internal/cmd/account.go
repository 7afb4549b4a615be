package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) accountCommand() *cobra.Command {
	var (
		yes    bool
		reason string
	)
	suspend := &cobra.Command{
		Use:     "suspend ID [--reason TEXT] [--yes]",
		Short:   "Suspend an account: its apps are refused, its members read why, and its owners get an email",
		Example: "  vitaectl account suspend dev_06e1v30dhls6u3oeg6l8q5v5s4 --reason 'Your app emails applicants who did not agree to it. Contact support.'",
		Args:    cobra.ExactArgs(1),
		RunE: a.withConfirmation("Suspend %s? All its apps are refused until the account is resumed.", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.Developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: args[0], Reason: reason})
			if err != nil {
				return err
			}
			return a.showAccount(resp.GetAccount())
		})),
	}
	suspend.Flags().StringVar(&reason, "reason", "", "reason for the account's members, shown in the console and in the email")
	addYes(suspend, &yes)
	resume := &cobra.Command{
		Use:     "resume ID",
		Short:   "Lift a suspension, and email the owners",
		Example: "  vitaectl account resume dev_06e1v30dhls6u3oeg6l8q5v5s4",
		Args:    cobra.ExactArgs(1),
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
	var (
		perMinute, perDay int32
		yes               bool
	)
	c := &cobra.Command{
		Use:   "plan ID standard|elevated|custom [--per-minute N --per-day N] [--yes]",
		Short: "Change the request limits of an account",
		Example: "  vitaectl account plan dev_06e1v30dhls6u3oeg6l8q5v5s4 elevated\n" +
			"  vitaectl account plan dev_06e1v30dhls6u3oeg6l8q5v5s4 custom --per-minute 2000 --per-day 500000",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return slices.Sorted(maps.Keys(planNames)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			wanted := &authv1.Plan{Name: planNames[args[1]], PerMinute: perMinute, PerDay: perDay}
			if a.streams.Interactive && !yes {
				if err := a.askBeforeLess(c, args[0], wanted); err != nil {
					return err
				}
			}
			return a.withStack(func(ctx context.Context, s *stack, args []string) error {
				resp, err := s.Developers.SetAccountPlan(ctx, &authv1.SetAccountPlanRequest{Id: args[0], Plan: wanted})
				if err != nil {
					return err
				}
				return a.showAccount(resp.GetAccount())
			})(c, args)
		},
	}
	addYes(c, &yes)
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
			return errors.New("--per-minute and --per-day are only for a custom plan")
		}
		return nil
	}
	return c
}

// askBeforeLess asks for confirmation if the wanted plan may allow fewer requests than the current one. It
// looks up the current plan in a separate call, so the time that the user takes to reply does not count against
// the timeout.
func (a *app) askBeforeLess(c *cobra.Command, id string, wanted *authv1.Plan) error {
	var has *authv1.Account
	if err := a.withStack(func(ctx context.Context, s *stack, _ []string) error {
		resp, err := s.Developers.GetAccount(ctx, &authv1.GetAccountRequest{Id: id})
		has = resp.GetAccount()
		return err
	})(c, nil); err != nil {
		return err
	}
	if !mayBeLess(has.GetPlan(), wanted) {
		return nil
	}
	question := fmt.Sprintf("%s (%s) has the plan %s. Set %s, which may allow less?", oneLine(has.GetName()), id, newPlan(has.GetPlan()), newPlan(wanted).Name)
	if err := a.confirm(question, false); err != nil {
		return failure{err}
	}
	return nil
}

// mayBeLess reports whether the wanted plan may allow fewer requests than the current one. It compares named
// plans by rank, because only the auth service knows their limits.
func mayBeLess(has, wanted *authv1.Plan) bool {
	switch wanted.GetName() {
	case authv1.PlanName_PLAN_NAME_CUSTOM:
		return wanted.GetPerMinute() < has.GetPerMinute() || wanted.GetPerDay() < has.GetPerDay()
	case authv1.PlanName_PLAN_NAME_ELEVATED:
		return has.GetName() == authv1.PlanName_PLAN_NAME_CUSTOM
	}
	return has.GetName() != authv1.PlanName_PLAN_NAME_STANDARD
}

type account struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Email       string  `json:"email"`
	Plan        plan    `json:"plan"`
	SuspendedAt *string `json:"suspendedAt"`
	// SuspensionReason is nil if the account is not suspended or no reason was stored.
	SuspensionReason *string `json:"suspensionReason"`
	CreatedAt        *string `json:"createdAt"`
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
	made := account{
		ID: d.GetId(), Name: d.GetName(), Email: d.GetEmail(), Plan: newPlan(d.GetPlan()),
		SuspendedAt: jsonTime(d.GetSuspendedAt()), CreatedAt: jsonTime(d.GetCreatedAt()),
	}
	if reason := d.GetSuspensionReason(); reason != "" {
		made.SuspensionReason = &reason
	}
	return made
}

func (p plan) String() string {
	return fmt.Sprintf("%s, %d a minute, %d a day", p.Name, p.PerMinute, p.PerDay)
}

func (a *app) showAccount(d *authv1.Account) error {
	shown := newAccount(d)
	state := "active"
	if d.GetSuspendedAt() != nil {
		state = "suspended since " + when(d.GetSuspendedAt())
		if reason := oneLine(d.GetSuspensionReason()); reason != "" {
			state += ": " + reason
		}
	}
	return a.show(shown,
		fmt.Sprintf("%s  %s  %s", d.GetId(), d.GetName(), state),
		fmt.Sprintf("plan %s: %d requests a minute, %d a day", shown.Plan.Name, shown.Plan.PerMinute, shown.Plan.PerDay),
	)
}
