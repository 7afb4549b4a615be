package audit

import "slices"

// personActions lists the actions that people see in the log on their account page: changes to the
// account, its sign-in methods and its connected apps.
var personActions = []Action{
	SignIn, SignOut, SessionEnd, SessionEndAll, SessionProve, PersonCreate, PersonSignUp, PersonSetLanguage,
	PersonRequestDeletion, PersonKeep, ProfileExport, ProfileDownloadExport,
	PasswordReset, PasswordChange, PasswordRemove, PasskeyAdd, PasskeyRename, PasskeyRemove, PasskeyCountBack,
	ConsentGrant, ConnectionUpdate, ConnectionDisconnect, ConsoleSignIn,
}

// ForOwner reports whether a person sees the action in the log on their account page
// (behaviour: audit#what-a-person-sees).
func (a Action) ForOwner() bool { return slices.Contains(personActions, a) }
