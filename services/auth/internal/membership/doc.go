// Package membership is about the teams of developer accounts: who belongs to one, with
// which role, and what a person of the developer console may therefore do
// (behaviour: console#who-may-do-what, console#members).
//
// It must never tell a person whether a thing of others exists, and never leave a team
// without an owner that had one.
package membership
