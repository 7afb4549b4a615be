package audit

import (
	"slices"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/pkg/audit"
)

// actions lists the actions that members see, grouped and ordered as in the form.
var actions = []struct {
	label   string
	actions []actionText
}{
	{"Account", []actionText{
		{audit.AccountCreate, "Account created"}, {audit.AccountUpdate, "Account changed"}, {audit.AccountSetPlan, "Plan set"},
		{audit.AccountSuspend, "Account suspended"}, {audit.AccountResume, "Account resumed"}, {audit.AccountVerify, "Account verified"},
		{audit.AccountUnverify, "Verification removed"}, {audit.AccountClose, "Account closed"},
		{audit.AccountRead, "Account viewed"}, {audit.AccountList, "Accounts listed"},
	}},
	{"Team", []actionText{
		{audit.MemberAdd, "Member added"}, {audit.MemberUpdate, "Role changed"}, {audit.MemberRemove, "Member removed"}, {audit.MemberList, "Members listed"},
		{audit.InvitationCreate, "Person invited"}, {audit.InvitationAccept, "Invitation accepted"}, {audit.InvitationWithdraw, "Invitation withdrawn"},
		{audit.InvitationRead, "Invitation viewed"}, {audit.InvitationList, "Invitations listed"},
	}},
	{"Apps", []actionText{
		{audit.AppCreate, "App created"}, {audit.AppUpdate, "App changed"}, {audit.AppDelete, "App deleted"}, {audit.AppRead, "App viewed"}, {audit.AppList, "Apps listed"},
	}},
	{"Credentials", []actionText{
		{audit.APIKeyCreate, "API key created"}, {audit.APIKeyDelete, "API key deleted"}, {audit.APIKeyList, "API keys listed"},
		{audit.AppRotateSecret, "Client secret added"}, {audit.AppSetSecretExpiry, "End of a client secret set"}, {audit.AppDeleteSecret, "Client secret deleted"},
		{audit.AppListSecrets, "Client secrets listed"}, {audit.ClientAuthenticate, "Client authentication"}, {audit.TokenIntrospect, "Token introspection"},
	}},
	{"Limits", []actionText{
		{audit.PlanRequestCreate, "Plan requested"}, {audit.PlanRequestGrant, "Plan granted"}, {audit.PlanRequestRefuse, "Plan refused"}, {audit.PlanRequestList, "Plan requests listed"},
	}},
	{"Logs", []actionText{
		{audit.UsageRead, "Usage viewed"}, {audit.RequestLogRead, "Request log viewed"}, {audit.AuditRead, "Audit log viewed"},
	}},
}

// actionText is the description of an action.
type actionText struct {
	action audit.Action
	text   string
}

// actionName returns the description of an action, or its code if there is none.
func actionName(action string) string {
	for _, group := range actions {
		if i := slices.IndexFunc(group.actions, func(a actionText) bool { return string(a.action) == action }); i >= 0 {
			return group.actions[i].text
		}
	}
	return action
}

func actionOptions(chosen string) []shell.OptionGroup {
	groups := []shell.OptionGroup{{Options: []shell.Option{{Text: "All actions"}}}}
	for _, of := range actions {
		group := shell.OptionGroup{Label: of.label}
		for _, a := range of.actions {
			group.Options = append(group.Options, shell.Option{Value: string(a.action), Text: a.text + " (" + string(a.action) + ")"})
		}
		groups = append(groups, group)
	}
	return shell.ChooseAmong(groups, chosen, chosen)
}
