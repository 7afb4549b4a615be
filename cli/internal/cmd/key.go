package cmd

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) keyCommand() *cobra.Command {
	return group("key", "Manage API keys", a.keyCreateCommand(), a.keyDeleteCommand(), a.keyListCommand())
}

// apiKey is the JSON form of an API key. Key is the secret and is set only on creation.
type apiKey struct {
	ID        string   `json:"id"`
	Key       string   `json:"key,omitempty"`
	AppID     string   `json:"appId"`
	Name      string   `json:"name"`
	Scopes    []string `json:"scopes"`
	ExpiresAt *string  `json:"expiresAt"`
	CreatedAt *string  `json:"createdAt"`
	// Hint is the last four characters of the secret, or null if unknown.
	Hint       *string `json:"hint"`
	CreatedBy  *string `json:"createdBy"`
	LastUsedAt *string `json:"lastUsedAt"`
	DeletedAt  *string `json:"deletedAt"`
}

func newAPIKey(k *authv1.ApiKey, secret string) apiKey {
	return apiKey{
		ID: k.GetId(), Key: secret, AppID: k.GetAppId(), Name: k.GetName(), Scopes: k.GetScopes(),
		ExpiresAt: jsonTime(k.GetExpiresAt()), CreatedAt: jsonTime(k.GetCreatedAt()), Hint: orNull(k.GetHint()),
		CreatedBy: orNull(k.GetCreatedBy()), LastUsedAt: jsonTime(k.GetLastUsedAt()), DeletedAt: jsonTime(k.GetDeletedAt()),
	}
}

// companyScopes lists the scopes that a key can have (behaviour: tokens#api-key-scopes), for the help text.
// The auth service decides which scopes a key gets.
var companyScopes = strings.Join(scope.Company(), ", ")

func (a *app) keyCreateCommand() *cobra.Command {
	req := &authv1.CreateApiKeyRequest{}
	c := &cobra.Command{
		Use:     "create --app ID --scopes a,b [--expires-at T] [--name NAME]",
		Short:   "Create an API key; its secret is shown only once",
		Example: "  vitaectl key create --app app_… --scopes jobs:read,jobs:write --name ats --expires-at 2030-01-31T00:00:00Z",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q is a separate argument: separate scopes with commas without spaces, or put them in quotes", args[0])
			}
			return nil
		},
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			for i, name := range req.GetScopes() {
				req.Scopes[i] = strings.TrimSpace(name)
			}
			resp, err := s.Developers.CreateApiKey(ctx, req)
			if err != nil {
				return err
			}
			k := resp.GetApiKey()
			return a.show(newAPIKey(k, resp.GetSecret()),
				"id       "+k.GetId(),
				"key      "+resp.GetSecret(),
				"scopes   "+strings.Join(k.GetScopes(), " "),
				"expires  "+when(k.GetExpiresAt()),
				"The key is shown only once.")
		}),
	}
	c.Flags().StringVar(&req.AppId, "app", "", "id of the app that owns the key")
	c.Flags().StringSliceVar(&req.Scopes, "scopes", nil, "company scopes, separated by commas: "+companyScopes)
	addTime(c, &req.ExpiresAt, "expires-at", "time at which the key expires, in RFC 3339 format (default never)")
	c.Flags().StringVar(&req.Name, "name", "vitaectl", "name of the key")
	mustRequire(c, "app", "scopes")
	complete(c, "scopes", scope.Company())
	return c
}

func (a *app) keyDeleteCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:     "delete ID [--yes]",
		Short:   "Delete an API key, which is refused immediately",
		Example: "  vitaectl key delete key_… --yes",
		Args:    cobra.ExactArgs(1),
		RunE: a.withConfirmation("Delete the API key %s? Programs that use it fail immediately.", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			if _, err := s.Developers.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: args[0]}); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "deleted": true}, args[0]+" is deleted.")
		})),
	}
	addYes(c, &yes)
	return c
}

// keyEnd returns the time at which a key was deleted, or at which it expires.
func (a *app) keyEnd(k *authv1.ApiKey) string {
	if k.GetDeletedAt() != nil {
		return "deleted " + when(k.GetDeletedAt())
	}
	return a.expiry(k.GetExpiresAt())
}

// expiry returns the time at which a key expires. It marks expired keys, because they are listed until they are
// deleted.
func (a *app) expiry(t *timestamppb.Timestamp) string {
	if t != nil && !t.AsTime().After(a.clock.Now()) {
		return when(t) + " (expired)"
	}
	return when(t)
}

func (a *app) keyListCommand() *cobra.Command {
	req := &authv1.ListApiKeysRequest{}
	c := &cobra.Command{
		Use:     "list APP [--deleted]",
		Short:   "List the API keys of an app, newest first",
		Example: "  vitaectl key list app_…",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Developers.ListApiKeys(ctx, req)
			if err != nil {
				return err
			}
			keys, rows := []apiKey{}, [][]string{}
			for _, k := range resp.GetApiKeys() {
				keys = append(keys, newAPIKey(k, ""))
				rows = append(rows, []string{
					k.GetId(), k.GetName(), "…" + cmp.Or(k.GetHint(), "?"), strings.Join(k.GetScopes(), " "), when(k.GetCreatedAt()),
					cmp.Or(k.GetCreatedBy(), "?"), when(k.GetLastUsedAt()), a.keyEnd(k),
				})
			}
			return a.show(keys, table([]string{"ID", "NAME", "KEY", "SCOPES", "CREATED", "BY", "LAST USED", "EXPIRES"}, rows)...)
		}),
	}
	takeID(c, &req.AppId, "app", true)
	c.Flags().BoolVar(&req.IncludeDeleted, "deleted", false, "list deleted keys too, including those of a deleted app")
	return c
}
