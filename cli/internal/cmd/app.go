package cmd

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	"vitae.internal/cli/internal/importer"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) appCommand() *cobra.Command {
	return group("app", "Manage apps", a.appListCommand(), a.appCreateCommand(), a.appUpdateCommand(), a.appDeleteCommand(),
		a.rotateSecretCommand(), a.secretsCommand(), a.expireSecretCommand(), a.deleteSecretCommand())
}

// rotatedApp is the JSON form of a secret rotation: the app, in the same format as in the result of an
// import, and its secrets.
type rotatedApp struct {
	importer.App
	Secrets []clientSecret `json:"secrets"`
}

// clientSecret is the JSON form of a client secret without its value.
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
			ID: s.GetId(), CreatedAt: jsonTime(s.GetCreatedAt()), CreatedBy: s.GetCreatedBy(),
			LastUsedAt: jsonTime(s.GetLastUsedAt()), ExpiresAt: jsonTime(s.GetExpiresAt()),
		})
	}
	return secrets
}

func (a *app) rotateSecretCommand() *cobra.Command {
	req, overlap, yes := &authv1.RotateClientSecretRequest{}, time.Duration(0), false
	c := &cobra.Command{
		Use:     "rotate-secret ID [--overlap 24h [--end-older]] [--yes]",
		Example: "  vitaectl app rotate-secret app_… --overlap 24h",
		Short:   "Create a new client secret; the old one ends immediately or after the overlap",
		Args:    cobra.ExactArgs(1),
	}
	rotate := a.withStack(func(ctx context.Context, s *stack, args []string) error {
		req.AppId, req.Overlap = args[0], durationpb.New(overlap)
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
		return a.show(rotatedApp{made, newClientSecrets(resp.GetSecrets())}, append(lines, shownOnce)...)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if question := rotationQuestion(a.named(c, args[0], yes), overlap > 0, req.EndOlder); question != "" {
			if err := a.confirm(question, yes); err != nil {
				return failure{err}
			}
		}
		return rotate(c, args)
	}
	addYes(c, &yes)
	addDuration(c, &overlap, "overlap", "how long the current secret stays valid, for example 90m or 24h, at most 720h (default: it ends immediately)")
	c.Flags().BoolVar(&req.EndOlder, "end-older", false, "if two secrets are live, end the older one immediately")
	return c
}

// rotationQuestion returns the confirmation question, or "" if no live secret stops working immediately.
func rotationQuestion(id string, overlaps, endOlder bool) string {
	switch {
	case !overlaps:
		return fmt.Sprintf("Rotate the client secret of %s without --overlap? Servers that still use an earlier secret are refused immediately.", id)
	case endOlder:
		return fmt.Sprintf("If %s has two live client secrets, end the older one? Servers that still use it are refused immediately.", id)
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
				lines = append(lines, fmt.Sprintf("%s  created %s%s  used %s  ends %s", secret.GetId(), when(secret.GetCreatedAt()),
					by(secret.GetCreatedBy()), when(secret.GetLastUsedAt()), when(secret.GetExpiresAt())))
			}
			return a.show(newClientSecrets(resp.GetSecrets()), lines...)
		}),
	}
}

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
		Short:   "Delete a client secret (sec_…), which is refused immediately",
		Example: "  vitaectl app delete-secret sec_…",
		Args:    cobra.ExactArgs(1),
		RunE: a.withConfirmation("Delete the client secret %s? Servers that use it are refused immediately.", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.Id = args[0]
			if _, err := s.Developers.DeleteClientSecret(ctx, req); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "deleted": true}, args[0]+" is deleted.")
		})),
	}
	c.Flags().BoolVar(&req.AllowLast, "allow-last", false, "delete the secret even if it is the app's only live one")
	addYes(c, &yes)
	return c
}

func (a *app) expireSecretCommand() *cobra.Command {
	req, never := &authv1.SetClientSecretExpiryRequest{}, false
	c := &cobra.Command{
		Use:     "expire-secret SECRET_ID --at T|--never [--allow-last]",
		Short:   "Set, change or remove the expiry of a client secret (sec_…)",
		Example: "  vitaectl app expire-secret sec_… --at 2030-01-31T00:00:00Z",
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.Id = args[0]
			resp, err := s.Developers.SetClientSecretExpiry(ctx, req)
			if err != nil {
				return err
			}
			secret := resp.GetSecret()
			return a.show(newClientSecrets([]*authv1.ClientSecret{secret})[0], secret.GetId()+" ends "+when(secret.GetExpiresAt()))
		}),
	}
	addTime(c, &req.ExpiresAt, "at", "time at which the secret ends, in RFC 3339 format")
	c.Flags().BoolVar(&never, "never", false, "remove the expiry")
	c.Flags().BoolVar(&req.AllowLast, "allow-last", false, "set the expiry even if no other live secret lasts longer")
	c.MarkFlagsOneRequired("at", "never")
	c.MarkFlagsMutuallyExclusive("at", "never")
	return c
}
