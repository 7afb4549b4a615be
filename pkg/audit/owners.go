package audit

import "slices"

// ofOwners are the actions that people see in their account's log: what was done to the account,
// its sign-in methods and connected apps.
var ofOwners = []Action{
	SignIn, SignOut, SessionEnd, SessionEndAll, SessionProve, PersonCreate, PersonSignUp, PersonSetLanguage,
	PersonRequestDeletion, PersonKeep, ProfileExport, ProfileDownloadExport,
	PasswordReset, PasswordChange, PasswordRemove, PasskeyAdd, PasskeyRename, PasskeyRemove, PasskeyCountBack,
	ConsentGrant, ConnectionUpdate, ConnectionDisconnect, ConsoleSignIn,
}

// ForOwner reports whether people see the action in their account's log
// (behaviour: audit#what-a-person-sees).
func (a Action) ForOwner() bool { return slices.Contains(ofOwners, a) }
