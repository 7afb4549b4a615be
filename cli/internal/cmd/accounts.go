package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// foundAccount is the JSON form of an account in a list.
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
		Short:   "List the accounts with the text in their name or email address, or with the id",
		Example: "  vitaectl account find talent",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			return a.listAccounts(ctx, s, args[0])
		}),
	}
}

// listAccounts lists all pages.
func (a *app) listAccounts(ctx context.Context, s *stack, text string) error {
	found, rows := []foundAccount{}, [][]string{}
	for token := ""; ; {
		page, err := s.accounts.ListAccounts(ctx, &authv1.ListAccountsRequest{Text: text, PageSize: 1000, PageToken: token})
		if err != nil {
			return err
		}
		for _, d := range page.GetAccounts() {
			f := foundAccount{newAccount(d), moment(d.GetVerifiedAt())}
			found = append(found, f)
			rows = append(rows, []string{f.ID, oneLine(f.Name), oneLine(f.Email), f.Plan.Name, stateOf(d), orWord(d.GetVerifiedAt() != nil, "verified")})
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	return a.show(found, table([]string{"ID", "NAME", "EMAIL", "PLAN", "STATE", "VERIFIED"}, rows)...)
}

// orWord gives the word if is is true, otherwise a dash.
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
		Short:   "Create a developer account, without members",
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
		Short:   "Say that you know who is behind the account; the consent page shows it",
		Example: "  vitaectl account verify dev_06e1v30dhls6u3oeg6l8q5v5s4",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.accounts.VerifyAccount(ctx, &authv1.VerifyAccountRequest{Id: args[0]})
			if err != nil {
				return err
			}
			d := resp.GetAccount()
			return a.show(foundAccount{newAccount(d), moment(d.GetVerifiedAt())}, fmt.Sprintf("%s  %s is verified.", d.GetId(), oneLine(d.GetName())))
		}),
	}
}

func (a *app) accountUnverifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "unverify ID",
		Short:   "Take a verification back",
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
		Short: "Close an account for good: every app, key, secret and connection of it ends at once",
		Long: `Close a developer account for good. Every app, API key, client secret and connection of it is
refused from now on. The name must be the account's.`,
		Example: `  vitaectl account close dev_06e1v30dhls6u3oeg6l8q5v5s4 --name "Rasheed Talent"`,
		RunE: a.afterQuestion("Close %s for good, with all that it has?", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			if _, err := s.accounts.CloseAccount(ctx, &authv1.CloseAccountRequest{Id: args[0], Name: name}); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "closed": true}, args[0]+" is closed.")
		})),
	}
	c.Flags().StringVar(&name, "name", "", "name of the account, as a check")
	a.requireYes(c, &yes, "closes the account")
	mustRequire(c, "name")
	return c
}

func (a *app) personFindCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "find TEXT",
		Short: "List the people whose email address begins with the text, or the one with the id",
		Long: "Lists the people whose email address begins with the text, or the one with the id. It does not search for a part of an\n" +
			"address or for names: auth has an index of how addresses begin, names are kept by candidate without one, and reading\n" +
			"everybody to find one would hold up people who sign in.",
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
				people = append(people, person{p.GetId(), orNull(name), p.GetEmail(), p.GetEmailVerified(), moment(p.GetCreatedAt())})
				rows = append(rows, []string{p.GetId(), oneLine(name), oneLine(p.GetEmail()), orWord(p.GetEmailVerified(), "verified"), when(p.GetCreatedAt())})
			}
			if len(rows) == 0 {
				return a.show(people, "Nobody found. An email address is matched from its beginning.")
			}
			return a.show(people, table([]string{"ID", "NAME", "EMAIL", "VERIFIED", "CREATED"}, rows)...)
		}),
	}
}
