package pages

// Codes of auth about credentials: codeFailed is for a wrong password at sign-in, codeWrong at a change of
// password, codeBusy for too many passwords that wait to be checked.
const (
	codeFailed = "SIGN_IN_FAILED"
	codeWrong  = "WRONG_PASSWORD"
	codeBusy   = "SIGN_IN_BUSY"
)

// codeProof is for a change that needs a recent confirmation, codeLastWayIn for one that would leave the
// account without a sign-in method, codeUnknownKey for a passkey that does not exist.
const (
	codeProof      = "PROOF_NEEDED"
	codeLastWayIn  = "LAST_WAY_IN"
	codeUnknownKey = "PASSKEY_UNKNOWN"
)
