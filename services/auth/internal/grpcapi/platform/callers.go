package platform

import (
	"context"

	"vitae.internal/pkg/grpcserver"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	"vitae.internal/services/auth/internal/platform/team"
)

// Members implements grpcserver.Members: it decides whether console users may make a call.
type Members struct{ members *team.Service }

var _ grpcserver.Members = Members{}

// NewMembers returns Members.
func NewMembers(m *team.Service) Members { return Members{members: m} }

// things maps the kinds of objects in the .proto file to the domain's kinds.
var things = map[optionsv1.Thing]team.Thing{
	optionsv1.Thing_THING_ACCOUNT:       team.Account,
	optionsv1.Thing_THING_APP:           team.App,
	optionsv1.Thing_THING_API_KEY:       team.APIKey,
	optionsv1.Thing_THING_CLIENT_SECRET: team.ClientSecret,
	optionsv1.Thing_THING_INVITATION:    team.Invitation,
}

// Admit calls team.Service.Admit.
func (m Members) Admit(ctx context.Context, session string, need grpcserver.MemberNeed) (context.Context, error) {
	return m.members.Admit(ctx, session, team.Need{
		Role: team.Role(roles.Word(need.Role)), Thing: things[need.Thing], ID: need.ID, OwnID: need.PersonID,
		WhileSuspended: need.WhileSuspended, Proven: need.Proven,
	})
}

// PersonOf returns the id of the console user on whose behalf the call is made. It returns "" if an operator makes
// the call.
func PersonOf(ctx context.Context) string {
	caller, _ := team.FromContext(ctx)
	return caller.Person.ID
}

// roleOf returns the console user's role in the account that the call concerns. It returns no role if an operator
// makes the call.
func roleOf(ctx context.Context) optionsv1.Role {
	caller, _ := team.FromContext(ctx)
	return roles.Value(string(caller.Role))
}

// actorOf returns the value to store as the creator of an object: the console user's id, or the name in the caller's
// certificate.
func actorOf(ctx context.Context) string {
	if id := PersonOf(ctx); id != "" {
		return id
	}
	return grpcserver.Caller(ctx)
}
