// Package ceiling limits how many passwords are checked for one account, regardless of how many client IP addresses
// the attempts come from (behaviour: sign-in#limit-on-guesses-per-account).
//
// An account has two budgets. The open budget is for everyone. When it is exhausted, an attempt is rejected without
// a check, and the response states when to retry. Only a browser that waits and then retries is checked, against the
// second budget, whose units are called turns. A flood of attempts that don't wait uses no turns, so an owner with a
// new browser has to wait only as long as the page stated. If more browsers retry than there are turns, each browser
// reserves a turn at a later time.
//
// The ceiling doesn't apply to browsers in which the account has been used before (package session).
//
// The state is stored in Postgres, so all replicas share the ceiling, which applies even if Redis is down or has
// lost its data. An account is identified by the hash of its email address. This also works for addresses without an
// account, so the ceiling doesn't reveal which addresses have one.
package ceiling
