package audit

import "slices"

// ofOwners are the actions that people see in the log of their own account: what was done to the
// account, its sign-in methods and connected apps.
var ofOwners = []Action{
	SignIn, SignOut, SessionEnd, SessionEndAll, SessionProve, PersonCreate, PersonSignUp, PersonSetLanguage,
	PersonRequestDeletion, PersonKeep, ProfileExport, ProfileDownloadExport,
	PasswordReset, PasswordChange, PasswordRemove, PasskeyAdd, PasskeyRename, PasskeyRemove, PasskeyCountBack,
	ConsentGrant, ConnectionUpdate, ConnectionDisconnect, ConsoleSignIn,
}

// ForOwner reports whether people see the action in the log of their own account
// (behaviour: audit#what-a-person-sees).
func (a Action) ForOwner() bool { return slices.Contains(ofOwners, a) }
