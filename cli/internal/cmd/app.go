package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"vitae.internal/cli/internal/importer"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) appCommand() *cobra.Command {
	rotate := &cobra.Command{
		Use:   "rotate-secret ID",
		Short: "Replace the client secret of a confidential app; the old one stops at once",
		Args:  cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.Developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: args[0]})
			if err != nil {
				return err
			}
			out := importer.App{ID: resp.GetApp().GetId(), ClientID: resp.GetApp().GetClientId(), ClientSecret: resp.GetClientSecret()}
			return a.show(out,
				"client id      "+out.ClientID,
				"client secret  "+out.ClientSecret,
				"The secret is shown this once.")
		}),
	}
	return group("app", "Manage apps", rotate)
}
