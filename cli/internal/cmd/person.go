package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) personCommand() *cobra.Command {
	var (
		person, connection string
		yes                bool
	)
	disconnect := &cobra.Command{
		Use:     "disconnect --person ID --connection ID [--yes]",
		Short:   "End a person's connection to an app; its tokens and links stop working immediately",
		Example: "  vitaectl person disconnect --person usr_… --connection con_…",
		Args:    cobra.NoArgs,
	}
	end := a.withStack(func(ctx context.Context, s *stack, _ []string) error {
		_, err := s.connections.Disconnect(ctx, &authv1.DisconnectRequest{
			Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: person}},
			Id:    connection,
		})
		if err != nil {
			return err
		}
		return a.show(map[string]any{"id": connection, "personId": person, "disconnected": true},
			fmt.Sprintf("%s of %s is disconnected.", connection, person))
	})
	disconnect.RunE = func(c *cobra.Command, args []string) error {
		if err := a.confirm(fmt.Sprintf("End %s of %s? Its tokens and links stop working immediately and permanently.", connection, a.named(c, person, yes)), yes); err != nil {
			return failure{err}
		}
		return end(c, args)
	}
	addYes(disconnect, &yes)
	disconnect.Flags().StringVar(&person, "person", "", "id of the person")
	disconnect.Flags().StringVar(&connection, "connection", "", "id of the connection")
	mustRequire(disconnect, "person", "connection")
	return group("person", "Find people, and act on their behalf", disconnect, a.personFindCommand())
}
