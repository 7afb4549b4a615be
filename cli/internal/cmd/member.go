package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func (a *app) memberCommand() *cobra.Command {
	return group("member", "Manage the teams of developer accounts", a.memberListCommand(), a.memberAddCommand(), a.memberRemoveCommand(),
		a.memberInviteCommand(), a.memberInvitationsCommand(), a.memberWithdrawCommand())
}

// roleWords lists the roles from most to least powerful.
var roleWords = []string{"owner", "developer", "viewer"}

var roles = map[string]optionsv1.Role{
	"owner":     optionsv1.Role_ROLE_OWNER,
	"developer": optionsv1.Role_ROLE_DEVELOPER,
	"viewer":    optionsv1.Role_ROLE_VIEWER,
}

func roleWord(r optionsv1.Role) string {
	for word, role := range roles {
		if role == r {
			return word
		}
	}
	return "-"
}

func addRole(c *cobra.Command, role *optionsv1.Role) {
	c.Flags().Var(&parsedFlag{kind: "role", parse: func(s string) error {
		*role = roles[s]
		if *role == 0 {
			return fmt.Errorf("must be %s", strings.Join(roleWords, ", "))
		}
		return nil
	}}, "role", strings.Join(roleWords, ", "))
	complete(c, "role", roleWords)
}

type member struct {
	PersonID  string  `json:"personId"`
	Name      *string `json:"name"`
	Email     string  `json:"email"`
	Role      string  `json:"role"`
	CreatedAt *string `json:"createdAt"`
}

// nameOf returns the name in a person's profile, or "" if there is no profile.
func nameOf(ctx context.Context, s *stack, personID string) (string, error) {
	resp, err := s.Profiles.GetProfile(ctx, &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: personID}})
	if refusal, ok := errs.As(err); ok && refusal.Kind == errs.NotFound {
		return "", nil
	}
	return resp.GetProfile().GetName(), err
}

func (a *app) memberListCommand() *cobra.Command {
	var accountID string
	c := &cobra.Command{
		Use:     "list ACCOUNT",
		Short:   "List the members of an account, owners first",
		Example: "  vitaectl member list dev_06e1v30dhls6u3oeg6l8q5v5s4",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Members.ListMembers(ctx, &authv1.ListMembersRequest{AccountId: accountID})
			if err != nil {
				return err
			}
			members, rows := []member{}, [][]string{}
			for _, m := range resp.GetMembers() {
				name, err := nameOf(ctx, s, m.GetPersonId())
				if err != nil {
					return err
				}
				one := member{m.GetPersonId(), orNull(name), m.GetEmail(), roleWord(m.GetRole()), jsonTime(m.GetCreatedAt())}
				members = append(members, one)
				rows = append(rows, []string{one.PersonID, oneLine(name), oneLine(one.Email), one.Role, when(m.GetCreatedAt())})
			}
			return a.show(members, table([]string{"PERSON", "NAME", "EMAIL", "ROLE", "SINCE"}, rows)...)
		}),
	}
	takeAccount(c, &accountID, true)
	return c
}

func (a *app) memberAddCommand() *cobra.Command {
	req := &authv1.AddMemberRequest{}
	c := &cobra.Command{
		Use:     "add --account ID --person ID --role owner|developer|viewer",
		Short:   "Make a person a member of an account",
		Example: "  vitaectl member add --account dev_06e1v30dhls6u3oeg6l8q5v5s4 --person usr_06e1v30dg9j6q14hk2f8brd6ok --role owner",
		Args:    cobra.NoArgs,
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Members.AddMember(ctx, req)
			if err != nil {
				return err
			}
			m := resp.GetMember()
			return a.show(member{m.GetPersonId(), orNull(m.GetName()), m.GetEmail(), roleWord(m.GetRole()), jsonTime(m.GetCreatedAt())},
				fmt.Sprintf("%s  %s is now a member of %s: %s.", m.GetPersonId(), oneLine(m.GetEmail()), req.GetAccountId(), roleWord(m.GetRole())))
		}),
	}
	c.Flags().StringVar(&req.AccountId, "account", "", "id of the account")
	c.Flags().StringVar(&req.PersonId, "person", "", "id of the person")
	addRole(c, &req.Role)
	mustRequire(c, "account", "person", "role")
	return c
}

func (a *app) memberRemoveCommand() *cobra.Command {
	req := &authv1.RemoveMemberRequest{}
	var yes bool
	c := &cobra.Command{
		Use:     "remove --account ID --person ID",
		Short:   "Remove a member, who immediately loses access to the account",
		Example: "  vitaectl member remove --account dev_06e1v30dhls6u3oeg6l8q5v5s4 --person usr_06e1v30dg9j6q14hk2f8brd6ok",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.confirm(fmt.Sprintf("Remove %s from %s?", a.named(c, req.GetPersonId(), yes), a.named(c, req.GetAccountId(), yes)), yes); err != nil {
				return failure{err}
			}
			return a.withStack(func(ctx context.Context, s *stack, _ []string) error {
				if _, err := s.Members.RemoveMember(ctx, req); err != nil {
					return err
				}
				return a.show(map[string]any{"accountId": req.GetAccountId(), "personId": req.GetPersonId(), "removed": true},
					fmt.Sprintf("%s is no longer a member of %s.", req.GetPersonId(), req.GetAccountId()))
			})(c, args)
		},
	}
	c.Flags().StringVar(&req.AccountId, "account", "", "id of the account")
	c.Flags().StringVar(&req.PersonId, "person", "", "id of the person")
	addYes(c, &yes)
	mustRequire(c, "account", "person")
	return c
}
