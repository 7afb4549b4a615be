package console

import (
	"slices"

	"vitae.internal/pkg/audit"
)

// auditActions are what members see of the audit log, in words, by what they are about and
// in the order of the form.
var auditActions = []struct {
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

// actionText is an action and what a page calls it.
type actionText struct {
	action audit.Action
	text   string
}

// actionName is what a page calls an action; its code if it has no name.
func actionName(action string) string {
	for _, group := range auditActions {
		if i := slices.IndexFunc(group.actions, func(a actionText) bool { return string(a.action) == action }); i >= 0 {
			return group.actions[i].text
		}
	}
	return action
}

// actionOptions are the choices of an action: the words, and the code that the file and the
// address have.
func actionOptions(chosen string) []optionGroup {
	groups := []optionGroup{{Options: []option{{Text: "All actions"}}}}
	for _, of := range auditActions {
		group := optionGroup{Label: of.label}
		for _, a := range of.actions {
			group.Options = append(group.Options, option{Value: string(a.action), Text: a.text + " (" + string(a.action) + ")"})
		}
		groups = append(groups, group)
	}
	return chooseAmong(groups, chosen, chosen)
}
