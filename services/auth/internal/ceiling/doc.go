// Package ceiling bounds how many passwords are checked for one account, from however
// many addresses they come (behaviour: sign-in#a-ceiling-on-guesses).
//
// An account has two budgets. The open one is for anybody. When it is spent, attempts are
// refused unchecked and told to come back, and only those that do come back, in the same
// browser, are checked, out of the second budget: that of turns. A flood that sprays
// guesses and does not wait for answers never touches the second budget, so an owner in a
// new browser waits as long as the page has said. If more browsers come back than there
// are turns, each gets a turn of its own, at a time that it is told.
//
// A browser in which the account has signed in before is not under the ceiling at all
// (package session).
//
// The state is in Postgres: the ceiling holds for all replicas together, and while Redis
// is down or has lost its data. Accounts are named by the hash of the e-mail address,
// whether there is an account or not, so the ceiling does not tell.
package ceiling
