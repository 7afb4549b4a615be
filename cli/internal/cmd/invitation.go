package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// invitation is the JSON form of an invitation. Secret, Path and Emailed are set only in the output of member
// invite.
type invitation struct {
	ID        string  `json:"id"`
	AccountID string  `json:"accountId"`
	Email     string  `json:"email"`
	Role      string  `json:"role"`
	CreatedBy string  `json:"createdBy"`
	CreatedAt *string `json:"createdAt"`
	ExpiresAt *string `json:"expiresAt"`
	Secret    *string `json:"secret"`
	Path      *string `json:"path"`
	Emailed   *bool   `json:"emailed"`
}

func invitationOf(i *authv1.Invitation) invitation {
	return invitation{
		ID: i.GetId(), AccountID: i.GetAccountId(), Email: i.GetEmail(), Role: roleWord(i.GetRole()), CreatedBy: i.GetCreatedBy(),
		CreatedAt: jsonTime(i.GetCreatedAt()), ExpiresAt: jsonTime(i.GetExpiresAt()),
	}
}

func (a *app) memberInviteCommand() *cobra.Command {
	req := &authv1.CreateInvitationRequest{}
	c := &cobra.Command{
		Use:   "invite --account ID --email E --role owner|developer|viewer",
		Short: "Invite an email address to an account; the link is shown only once",
		Long: "Invite an email address to an account for seven days. If the deployment sends email, it emails the invitation to\n" +
			"the address. Otherwise, send the person the printed link. (Unless the stack is local, only the path within the\n" +
			"developer console is printed.) The link works once, and only for a person who is signed in with that email address and\n" +
			"has verified it. A new invitation to an address replaces the open one. `member add` adds a person without asking them.",
		Example: "  vitaectl member invite --account dev_06e1v30dhls6u3oeg6l8q5v5s4 --email mona@example.com --role owner",
		Args:    cobra.NoArgs,
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Members.CreateInvitation(ctx, req)
			if err != nil {
				return err
			}
			made, path := invitationOf(resp.GetInvitation()), "/invitations/"+resp.GetSecret()
			emailed := resp.GetEmailed()
			made.Secret, made.Path, made.Emailed = orNull(resp.GetSecret()), &path, &emailed
			sent := "no, send the link yourself"
			if emailed {
				sent = "yes"
			}
			address := path + " in the developer console"
			if s.consoleURL != "" {
				address = s.consoleURL + path
			}
			return a.show(made,
				"id       "+made.ID,
				"for      "+oneLine(made.Email)+", as "+made.Role,
				"until    "+when(resp.GetInvitation().GetExpiresAt()),
				"link     "+address,
				"emailed  "+sent,
				"The link is shown only once.")
		}),
	}
	c.Flags().StringVar(&req.AccountId, "account", "", "id of the account")
	c.Flags().StringVar(&req.Email, "email", "", "email address of the person")
	addRole(c, &req.Role)
	mustRequire(c, "account", "email", "role")
	return c
}

func (a *app) memberInvitationsCommand() *cobra.Command {
	var accountID string
	c := &cobra.Command{
		Use:     "invitations ACCOUNT",
		Short:   "List the open invitations to an account, newest first",
		Example: "  vitaectl member invitations dev_06e1v30dhls6u3oeg6l8q5v5s4",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Members.ListInvitations(ctx, &authv1.ListInvitationsRequest{AccountId: accountID})
			if err != nil {
				return err
			}
			open, rows := []invitation{}, [][]string{}
			for _, i := range resp.GetInvitations() {
				open = append(open, invitationOf(i))
				rows = append(rows, []string{i.GetId(), oneLine(i.GetEmail()), roleWord(i.GetRole()), oneLine(i.GetCreatedBy()), when(i.GetExpiresAt())})
			}
			return a.show(open, table([]string{"ID", "EMAIL", "ROLE", "BY", "UNTIL"}, rows)...)
		}),
	}
	takeAccount(c, &accountID, true)
	return c
}

func (a *app) memberWithdrawCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:     "withdraw INVITATION_ID [--yes]",
		Short:   "Withdraw an open invitation; its link stops working immediately",
		Example: "  vitaectl member withdraw inv_06e1v30dg9j6q14hk2f8brd6ok",
		Args:    cobra.ExactArgs(1),
		RunE: a.withConfirmation("Withdraw %s? The link in the invitation stops working immediately.", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			if _, err := s.Members.WithdrawInvitation(ctx, &authv1.WithdrawInvitationRequest{Id: args[0]}); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "withdrawn": true}, fmt.Sprintf("%s is withdrawn.", args[0]))
		})),
	}
	addYes(c, &yes)
	return c
}
