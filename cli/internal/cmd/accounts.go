package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type foundAccount struct {
	account
	VerifiedAt *string `json:"verifiedAt"`
}

func (a *app) accountListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the developer accounts, by name",
		Example: "  vitaectl account list",
		Args:    cobra.NoArgs,
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			return a.listAccounts(ctx, s, "")
		}),
	}
}

func (a *app) accountFindCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "find TEXT",
		Short:   "List the accounts whose name or email address contains the text, or the one with that id",
		Example: "  vitaectl account find talent",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			return a.listAccounts(ctx, s, args[0])
		}),
	}
}

func (a *app) listAccounts(ctx context.Context, s *stack, text string) error {
	found, rows := []foundAccount{}, [][]string{}
	for token := ""; ; {
		page, err := s.accounts.ListAccounts(ctx, &authv1.ListAccountsRequest{Text: text, PageSize: 1000, PageToken: token})
		if err != nil {
			return err
		}
		for _, d := range page.GetAccounts() {
			f := foundAccount{newAccount(d), jsonTime(d.GetVerifiedAt())}
			found = append(found, f)
			rows = append(rows, []string{f.ID, oneLine(f.Name), oneLine(f.Email), f.Plan.Name, stateOf(d), orWord(d.GetVerifiedAt() != nil, "verified")})
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	return a.show(found, table([]string{"ID", "NAME", "EMAIL", "PLAN", "STATE", "VERIFIED"}, rows)...)
}

// orWord returns word if is is true, and "-" otherwise.
func orWord(is bool, word string) string {
	if is {
		return word
	}
	return "-"
}

func stateOf(d *authv1.Account) string {
	switch {
	case d.GetClosedAt() != nil:
		return "closed"
	case d.GetSuspendedAt() != nil:
		return "suspended"
	}
	return "active"
}

func (a *app) accountCreateCommand() *cobra.Command {
	req := &authv1.CreateAccountRequest{}
	c := &cobra.Command{
		Use:     "create --name NAME --email ADDRESS",
		Short:   "Create a developer account without members",
		Example: `  vitaectl account create --name "Rasheed Talent" --email developers@rasheed.example`,
		Args:    cobra.NoArgs,
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Developers.CreateAccount(ctx, req)
			if err != nil {
				return err
			}
			return a.showAccount(resp.GetAccount())
		}),
	}
	c.Flags().StringVar(&req.Name, "name", "", "name of the account")
	c.Flags().StringVar(&req.Email, "email", "", "contact email address")
	mustRequire(c, "name", "email")
	return c
}

func (a *app) accountVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "verify ID",
		Short:   "Mark an account as verified after you have checked its owner; the consent page shows this",
		Example: "  vitaectl account verify dev_06e1v30dhls6u3oeg6l8q5v5s4",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.accounts.VerifyAccount(ctx, &authv1.VerifyAccountRequest{Id: args[0]})
			if err != nil {
				return err
			}
			d := resp.GetAccount()
			return a.show(foundAccount{newAccount(d), jsonTime(d.GetVerifiedAt())}, fmt.Sprintf("%s  %s is verified.", d.GetId(), oneLine(d.GetName())))
		}),
	}
}

func (a *app) accountUnverifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "unverify ID",
		Short:   "Remove the verification of an account",
		Example: "  vitaectl account unverify dev_06e1v30dhls6u3oeg6l8q5v5s4",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.accounts.UnverifyAccount(ctx, &authv1.UnverifyAccountRequest{Id: args[0]})
			if err != nil {
				return err
			}
			d := resp.GetAccount()
			return a.show(foundAccount{newAccount(d), nil}, fmt.Sprintf("%s  %s is not verified.", d.GetId(), oneLine(d.GetName())))
		}),
	}
}

func (a *app) accountCloseCommand() *cobra.Command {
	var name string
	var yes bool
	c := &cobra.Command{
		Use:   "close ID --name NAME [--yes]",
		Short: "Close an account permanently: all its apps, keys, secrets and connections end immediately",
		Long: `Close a developer account permanently. All its apps, API keys, client secrets and connections
are refused immediately. The name must match the account's name.`,
		Example: `  vitaectl account close dev_06e1v30dhls6u3oeg6l8q5v5s4 --name "Rasheed Talent"`,
		RunE: a.withConfirmation("Close %s permanently, with everything in it?", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			if _, err := s.accounts.CloseAccount(ctx, &authv1.CloseAccountRequest{Id: args[0], Name: name}); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "closed": true}, args[0]+" is closed.")
		})),
	}
	c.Flags().StringVar(&name, "name", "", "name of the account, as a safeguard")
	a.requireYes(c, &yes, "closes the account")
	mustRequire(c, "name")
	return c
}

func (a *app) personFindCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "find TEXT",
		Short: "List the people whose email address begins with the text, or the person with that id",
		Long: "List the people whose email address begins with the text, or the person with that id. It cannot search inside\n" +
			"addresses or by name: only the beginnings of addresses are indexed, and reading every account would slow down\n" +
			"sign-ins.",
		Example: "  vitaectl person find layla@",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.People.FindPeople(ctx, &authv1.FindPeopleRequest{Text: strings.TrimSpace(args[0])})
			if err != nil {
				return err
			}
			type person struct {
				ID            string  `json:"id"`
				Name          *string `json:"name"`
				Email         string  `json:"email"`
				EmailVerified bool    `json:"emailVerified"`
				CreatedAt     *string `json:"createdAt"`
			}
			people, rows := []person{}, [][]string{}
			for _, p := range resp.GetPeople() {
				name, err := nameOf(ctx, s, p.GetId())
				if err != nil {
					return err
				}
				people = append(people, person{p.GetId(), orNull(name), p.GetEmail(), p.GetEmailVerified(), jsonTime(p.GetCreatedAt())})
				rows = append(rows, []string{p.GetId(), oneLine(name), oneLine(p.GetEmail()), orWord(p.GetEmailVerified(), "verified"), when(p.GetCreatedAt())})
			}
			if len(rows) == 0 {
				return a.show(people, "Nobody found. An email address is matched from its beginning.")
			}
			return a.show(people, table([]string{"ID", "NAME", "EMAIL", "VERIFIED", "CREATED"}, rows)...)
		}),
	}
}
