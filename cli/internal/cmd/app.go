package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	"vitae.internal/cli/internal/importer"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) appCommand() *cobra.Command {
	return group("app", "Manage apps", a.appListCommand(), a.appCreateCommand(), a.appUpdateCommand(), a.appDeleteCommand(),
		a.rotateSecretCommand(), a.secretsCommand(), a.expireSecretCommand(), a.deleteSecretCommand())
}

// rotatedApp is the JSON form of a rotation. It adds to what an import prints of an app.
type rotatedApp struct {
	importer.App
	Secrets []clientSecret `json:"secrets"`
}

// clientSecret is the JSON form of a client secret without its text.
type clientSecret struct {
	ID         string  `json:"id"`
	CreatedAt  *string `json:"createdAt"`
	CreatedBy  string  `json:"createdBy"`
	LastUsedAt *string `json:"lastUsedAt"`
	ExpiresAt  *string `json:"expiresAt"`
}

func newClientSecrets(listed []*authv1.ClientSecret) []clientSecret {
	secrets := []clientSecret{}
	for _, s := range listed {
		secrets = append(secrets, clientSecret{
			ID: s.GetId(), CreatedAt: moment(s.GetCreatedAt()), CreatedBy: s.GetCreatedBy(),
			LastUsedAt: moment(s.GetLastUsedAt()), ExpiresAt: moment(s.GetExpiresAt()),
		})
	}
	return secrets
}

func (a *app) rotateSecretCommand() *cobra.Command {
	req, overlap, yes := &authv1.RotateClientSecretRequest{}, lengthFlag{}, false
	c := &cobra.Command{
		Use:     "rotate-secret ID [--overlap 24h [--end-older]] [--yes]",
		Example: "  vitaectl app rotate-secret app_… --overlap 24h",
		Short:   "Make a new client secret of a confidential app; the old one stops at once, or after the overlap",
		Args:    cobra.ExactArgs(1),
	}
	rotate := a.withStack(func(ctx context.Context, s *stack, args []string) error {
		req.AppId, req.Overlap = args[0], durationpb.New(overlap.length)
		resp, err := s.Developers.RotateClientSecret(ctx, req)
		if err != nil {
			return err
		}
		made := importer.App{ID: resp.GetApp().GetId(), ClientID: resp.GetApp().GetClientId(), ClientSecret: resp.GetClientSecret()}
		lines := []string{"client id      " + made.ClientID, "client secret  " + made.ClientSecret}
		for _, secret := range resp.GetSecrets() {
			if secret.GetExpiresAt() != nil {
				lines = append(lines, "old secret     "+secret.GetId()+" ends at "+when(secret.GetExpiresAt()))
			}
		}
		return a.show(rotatedApp{made, newClientSecrets(resp.GetSecrets())}, append(lines, "The secret is shown this once.")...)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if question := rotationQuestion(a.named(c, args[0], yes), overlap.length > 0, req.EndOlder); question != "" {
			if err := a.confirmed(question, yes); err != nil {
				return failure{err}
			}
		}
		return rotate(c, args)
	}
	addYes(c, &yes)
	c.Flags().Var(&overlap, "overlap", "how long the newest secret lives on, for example 90m or 24h, up to 720h (default: it ends at once)")
	c.Flags().BoolVar(&req.EndOlder, "end-older", false, "end the older one at once if two are live")
	return c
}

// rotationQuestion is empty if every live secret outlasts the rotation.
func rotationQuestion(id string, overlaps, endOlder bool) string {
	switch {
	case !overlaps:
		return fmt.Sprintf("Rotate the client secret of %s without --overlap? Servers that send a secret of before are refused at once.", id)
	case endOlder:
		return fmt.Sprintf("End the older client secret of %s, if two are live? Servers that send it are refused at once.", id)
	}
	return ""
}

func (a *app) secretsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "secrets ID",
		Short:   "List the live client secrets of an app, newest first",
		Example: "  vitaectl app secrets app_…",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.Developers.ListClientSecrets(ctx, &authv1.ListClientSecretsRequest{AppId: args[0]})
			if err != nil {
				return err
			}
			lines := []string{}
			for _, secret := range resp.GetSecrets() {
				lines = append(lines, fmt.Sprintf("%s  made %s%s  used %s  ends %s", secret.GetId(), when(secret.GetCreatedAt()),
					by(secret.GetCreatedBy()), when(secret.GetLastUsedAt()), when(secret.GetExpiresAt())))
			}
			return a.show(newClientSecrets(resp.GetSecrets()), lines...)
		}),
	}
}

// by is empty where nobody is named.
func by(caller string) string {
	if caller == "" {
		return ""
	}
	return " by " + caller
}

func (a *app) deleteSecretCommand() *cobra.Command {
	req, yes := &authv1.DeleteClientSecretRequest{}, false
	c := &cobra.Command{
		Use:     "delete-secret SECRET_ID [--allow-last] [--yes]",
		Short:   "Delete a client secret, sec_…; it is refused from now on",
		Example: "  vitaectl app delete-secret sec_…",
		Args:    cobra.ExactArgs(1),
		RunE: a.afterQuestion("Delete the client secret %s? Servers that send it are refused at once.", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.Id = args[0]
			if _, err := s.Developers.DeleteClientSecret(ctx, req); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "deleted": true}, args[0]+" is deleted.")
		})),
	}
	c.Flags().BoolVar(&req.AllowLast, "allow-last", false, "delete the app's only live secret too")
	addYes(c, &yes)
	return c
}

func (a *app) expireSecretCommand() *cobra.Command {
	req, at, never := &authv1.SetClientSecretExpiryRequest{}, timeFlag{}, false
	c := &cobra.Command{
		Use:     "expire-secret SECRET_ID --at T|--never [--allow-last]",
		Short:   "Set, move or remove the end of a client secret, sec_…",
		Example: "  vitaectl app expire-secret sec_… --at 2030-01-31T00:00:00Z",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.Id, req.ExpiresAt = args[0], at.at
			resp, err := s.Developers.SetClientSecretExpiry(ctx, req)
			if err != nil {
				return err
			}
			secret := resp.GetSecret()
			return a.show(newClientSecrets([]*authv1.ClientSecret{secret})[0], secret.GetId()+" ends "+when(secret.GetExpiresAt()))
		}),
	}
	c.Flags().Var(&at, "at", "moment at which it stops working, RFC 3339")
	c.Flags().BoolVar(&never, "never", false, "remove the end that it has")
	c.Flags().BoolVar(&req.AllowLast, "allow-last", false, "also where no other live secret outlasts it")
	c.MarkFlagsOneRequired("at", "never")
	c.MarkFlagsMutuallyExclusive("at", "never")
	return c
}
