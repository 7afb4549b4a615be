package audit

import "slices"

// ofOwners are the actions that a person sees in the trail of their own account: what was done
// to the account, to the ways in and to connected apps.
var ofOwners = []Action{
	SignIn, SignOut, SessionEnd, SessionEndAll, SessionProve, PersonCreate, PersonSignUp, PersonSetLanguage,
	PersonRequestDeletion, PersonKeep, ProfileExport, ProfileDownloadExport,
	PasswordReset, PasswordChange, PasswordRemove, PasskeyAdd, PasskeyRename, PasskeyRemove, PasskeyCountBack,
	ConsentGrant, ConnectionUpdate, ConnectionDisconnect, ConsoleSignIn,
}

// ForOwner reports whether a person sees the action in the trail of their own account
// (behaviour: audit#what-a-person-sees).
func (a Action) ForOwner() bool { return slices.Contains(ofOwners, a) }
