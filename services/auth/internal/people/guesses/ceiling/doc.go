// Package ceiling limits how many passwords are checked for one account, regardless of how
// many client addresses the attempts come from (behaviour: sign-in#limit-on-guesses-per-account).
//
// An account has two budgets. The open budget is for everybody. When it is exhausted, an
// attempt is refused without a check, and the answer says when to retry. Only a browser that
// waits and retries is checked, against the second budget: the turns. A flood that doesn't
// wait uses up no turns, so the owner in a new browser waits only as long as the page said.
// If more browsers retry than there are turns, each browser books a turn at a later time.
//
// The ceiling doesn't apply to browsers in which the account has signed in before (package
// session).
//
// The state is in Postgres, so the ceiling applies to all replicas together, even while Redis
// is down or has lost its data. Accounts are identified by the hash of the email address,
// whether or not the account exists, so the ceiling doesn't reveal which addresses have an
// account.
package ceiling
