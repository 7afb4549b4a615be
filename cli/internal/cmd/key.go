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

// apiKey is the JSON form of a key. Key, the secret, is set at creation only.
type apiKey struct {
	ID        string   `json:"id"`
	Key       string   `json:"key,omitempty"`
	AppID     string   `json:"appId"`
	Name      string   `json:"name"`
	Scopes    []string `json:"scopes"`
	ExpiresAt *string  `json:"expiresAt"`
	CreatedAt *string  `json:"createdAt"`
	// Hint is the last four characters of the secret; null if they are not known.
	Hint       *string `json:"hint"`
	CreatedBy  *string `json:"createdBy"`
	LastUsedAt *string `json:"lastUsedAt"`
	DeletedAt  *string `json:"deletedAt"`
}

func newAPIKey(k *authv1.ApiKey, secret string) apiKey {
	return apiKey{
		ID: k.GetId(), Key: secret, AppID: k.GetAppId(), Name: k.GetName(), Scopes: k.GetScopes(),
		ExpiresAt: moment(k.GetExpiresAt()), CreatedAt: moment(k.GetCreatedAt()), Hint: orNull(k.GetHint()),
		CreatedBy: orNull(k.GetCreatedBy()), LastUsedAt: moment(k.GetLastUsedAt()), DeletedAt: moment(k.GetDeletedAt()),
	}
}

// companyScopes lists the scopes that a key can hold (behaviour: tokens#api-key-scopes).
// Only the help uses it: auth decides which scopes a key gets.
var companyScopes = strings.Join(scope.Company(), ", ")

func (a *app) keyCreateCommand() *cobra.Command {
	req, expires := &authv1.CreateApiKeyRequest{}, timeFlag{}
	c := &cobra.Command{
		Use:     "create --app ID --scopes a,b [--expires-at T] [--name NAME]",
		Short:   "Create an API key; its secret is shown this once",
		Example: "  vitaectl key create --app app_… --scopes jobs:read,jobs:write --name ats --expires-at 2030-01-31T00:00:00Z",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q stands alone: scopes are separated by commas without spaces, or stand in quotes", args[0])
			}
			return nil
		},
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			req.ExpiresAt = expires.at
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
				"The key is shown this once.")
		}),
	}
	c.Flags().StringVar(&req.AppId, "app", "", "id of the app that will hold the key")
	c.Flags().StringSliceVar(&req.Scopes, "scopes", nil, "company scopes, separated by commas: "+companyScopes)
	c.Flags().Var(&expires, "expires-at", "moment at which the key stops, RFC 3339 (default never)")
	c.Flags().StringVar(&req.Name, "name", "vitaectl", "name of the key")
	mustRequire(c, "app", "scopes")
	complete(c, "scopes", scope.Company())
	return c
}

func (a *app) keyDeleteCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:     "delete ID [--yes]",
		Short:   "Delete an API key; it is refused from now on",
		Example: "  vitaectl key delete key_… --yes",
		Args:    cobra.ExactArgs(1),
		RunE: a.afterQuestion("Delete the API key %s? Whatever uses it fails at once.", &yes, a.withStack(func(ctx context.Context, s *stack, args []string) error {
			if _, err := s.Developers.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: args[0]}); err != nil {
				return err
			}
			return a.show(map[string]any{"id": args[0], "deleted": true}, args[0]+" is deleted.")
		})),
	}
	addYes(c, &yes)
	return c
}

// ending is when a key ends, or that it was deleted.
func (a *app) ending(k *authv1.ApiKey) string {
	if k.GetDeletedAt() != nil {
		return "deleted " + when(k.GetDeletedAt())
	}
	return a.expiry(k.GetExpiresAt())
}

// expiry says when a key expires, and whether it has expired. An expired key is listed
// until it is deleted.
func (a *app) expiry(t *timestamppb.Timestamp) string {
	if t != nil && !t.AsTime().After(a.clock.Now()) {
		return when(t) + " (expired)"
	}
	return when(t)
}

func (a *app) keyListCommand() *cobra.Command {
	req := &authv1.ListApiKeysRequest{}
	c := &cobra.Command{
		Use:     "list --app ID [--deleted]",
		Short:   "List the API keys of an app, newest first",
		Example: "  vitaectl key list --app app_…",
		Args:    cobra.NoArgs,
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
					cmp.Or(k.GetCreatedBy(), "?"), when(k.GetLastUsedAt()), a.ending(k),
				})
			}
			return a.show(keys, table([]string{"ID", "NAME", "KEY", "SCOPES", "CREATED", "BY", "LAST USED", "EXPIRES"}, rows)...)
		}),
	}
	c.Flags().StringVar(&req.AppId, "app", "", "id of the app")
	c.Flags().BoolVar(&req.IncludeDeleted, "deleted", false, "list deleted keys too, also those of a deleted app")
	mustRequire(c, "app")
	return c
}
