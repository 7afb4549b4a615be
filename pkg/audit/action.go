package audit

import "slices"

// Action identifies what was done or attempted, as an object type, a dot and a verb.
type Action string

// Actions recorded in the audit log (behaviour: audit#actions).
const (
	SignIn  Action = "session.sign_in"
	SignOut Action = "session.sign_out"

	SessionEnd    Action = "session.end"
	SessionEndAll Action = "session.end_all"
	SessionProve  Action = "session.prove"

	PersonCreate Action = "person.create"
	PersonRead   Action = "person.read"
	PersonFind   Action = "person.find"
	PersonSignUp Action = "person.sign_up"

	PersonExport          Action = "person.export"
	PersonRequestDeletion Action = "person.request_deletion"
	PersonKeep            Action = "person.keep"
	PersonSetLanguage     Action = "person.set_language"

	PasswordRequestReset Action = "password.request_reset"
	PasswordReset        Action = "password.reset"
	PasswordChange       Action = "password.change"
	PasswordRemove       Action = "password.remove"

	PasskeyAdd    Action = "passkey.add"
	PasskeyRename Action = "passkey.rename"
	PasskeyRemove Action = "passkey.remove"
	// PasskeyCountBack is a sign-in with a passkey whose signature counter did not increase. The
	// passkey may have been cloned (WebAuthn §6.1.1).
	PasskeyCountBack Action = "passkey.count_back"

	AccountCreate   Action = "account.create"
	AccountRead     Action = "account.read"
	AccountSuspend  Action = "account.suspend"
	AccountResume   Action = "account.resume"
	AccountList     Action = "account.list"
	AccountUpdate   Action = "account.update"
	AccountClose    Action = "account.close"
	AccountVerify   Action = "account.verify"
	AccountUnverify Action = "account.unverify"
	AccountSetPlan  Action = "account.set_plan"

	ConsoleEnsureApp Action = "console.ensure_app"
	ConsoleSignIn    Action = "console.sign_in"
	ConsoleSignOut   Action = "console.sign_out"

	MemberList   Action = "member.list"
	MemberAdd    Action = "member.add"
	MemberUpdate Action = "member.update"
	MemberRemove Action = "member.remove"

	InvitationCreate   Action = "invitation.create"
	InvitationList     Action = "invitation.list"
	InvitationRead     Action = "invitation.read"
	InvitationWithdraw Action = "invitation.withdraw"
	InvitationAccept   Action = "invitation.accept"

	AppCreate       Action = "app.create"
	AppRead         Action = "app.read"
	AppList         Action = "app.list"
	AppUpdate       Action = "app.update"
	AppDelete       Action = "app.delete"
	AppRotateSecret Action = "app.rotate_secret"
	AppListSecrets  Action = "app.list_secrets"
	AppDeleteSecret Action = "app.delete_secret"

	AppSetSecretExpiry Action = "app.set_secret_expiry"

	APIKeyCreate Action = "api_key.create"
	APIKeyList   Action = "api_key.list"
	APIKeyDelete Action = "api_key.delete"

	PlanRequestCreate Action = "plan_request.create"
	PlanRequestList   Action = "plan_request.list"
	PlanRequestGrant  Action = "plan_request.grant"
	PlanRequestRefuse Action = "plan_request.refuse"

	ConsentGrant       Action = "consent.grant"
	ConsentDecline     Action = "consent.decline"
	ClientAuthenticate Action = "client.authenticate"
	TokenExchangeCode  Action = "token.exchange_code"
	TokenRefresh       Action = "token.refresh"
	TokenReplay        Action = "token.replay"
	TokenRevoke        Action = "token.revoke"
	TokenIntrospect    Action = "token.introspect"

	ConnectionList       Action = "connection.list"
	ConnectionUpdate     Action = "connection.update"
	ConnectionDisconnect Action = "connection.disconnect"

	UsageRead      Action = "usage.read"
	RequestLogRead Action = "request_log.read"
	AuditRead      Action = "audit.read"

	ProfileCreate Action = "profile.create"
	ProfileRead   Action = "profile.read"
	ProfileUpdate Action = "profile.update"
	ProfileExport Action = "profile.export"

	ProfileDownloadExport Action = "profile.download_export"

	CVCreate Action = "cv.create"
	CVRead   Action = "cv.read"
	CVList   Action = "cv.list"
	CVUpdate Action = "cv.update"
	CVDelete Action = "cv.delete"

	ApplicationCreate   Action = "application.create"
	ApplicationList     Action = "application.list"
	ApplicationRead     Action = "application.read"
	ApplicationAdvance  Action = "application.advance"
	ApplicationReject   Action = "application.reject"
	ApplicationWithdraw Action = "application.withdraw"
	ResumeUpload        Action = "resume.upload"

	CompanyCreate  Action = "company.create"
	CompanyList    Action = "company.list"
	CompanyRead    Action = "company.read"
	CompanyUpdate  Action = "company.update"
	CompanySetPage Action = "company.set_page"
	JobCreate      Action = "job.create"
	JobList        Action = "job.list"
	JobRead        Action = "job.read"
	JobUpdate      Action = "job.update"
	JobPublish     Action = "job.publish"
	JobClose       Action = "job.close"
	JobArchive     Action = "job.archive"

	// MethodCall is a denied call to a method for which the contract names no action.
	MethodCall Action = "method.call"
)

// Actions lists all actions.
var Actions = []Action{
	SignIn, SignOut, SessionEnd, SessionEndAll, SessionProve, PersonCreate, PersonRead, PersonFind, PersonSignUp, PersonSetLanguage,
	PersonExport, PersonRequestDeletion, PersonKeep, ProfileExport, ProfileDownloadExport,
	PasswordRequestReset, PasswordReset, PasswordChange, PasswordRemove, PasskeyAdd, PasskeyRename, PasskeyRemove, PasskeyCountBack,
	AccountCreate, AccountRead, AccountSuspend, AccountResume, AccountSetPlan,
	AccountList, AccountUpdate, AccountClose, AccountVerify, AccountUnverify, ConsoleEnsureApp, ConsoleSignIn, ConsoleSignOut,
	MemberList, MemberAdd, MemberUpdate, MemberRemove,
	InvitationCreate, InvitationList, InvitationRead, InvitationWithdraw, InvitationAccept,
	AppCreate, AppRead, AppList, AppUpdate, AppDelete, AppRotateSecret, AppListSecrets, AppDeleteSecret, AppSetSecretExpiry,
	PlanRequestCreate, PlanRequestList, PlanRequestGrant, PlanRequestRefuse,
	APIKeyCreate, APIKeyList, APIKeyDelete, ConsentGrant, ConsentDecline, ClientAuthenticate,
	TokenExchangeCode, TokenRefresh, TokenReplay, TokenRevoke, TokenIntrospect, ConnectionList, ConnectionUpdate,
	ConnectionDisconnect, UsageRead, RequestLogRead, AuditRead, ProfileCreate, ProfileRead, ProfileUpdate, CVCreate, CVRead,
	CVList, CVUpdate, CVDelete, ApplicationCreate, ApplicationList, ApplicationRead, ApplicationAdvance, ApplicationReject,
	ApplicationWithdraw, ResumeUpload, CompanyCreate, CompanyList, CompanyRead, CompanyUpdate, CompanySetPage, JobCreate,
	JobList, JobRead, JobUpdate, JobPublish, JobClose, JobArchive, MethodCall,
}

// Known reports whether the action exists.
func (a Action) Known() bool { return slices.Contains(Actions, a) }
