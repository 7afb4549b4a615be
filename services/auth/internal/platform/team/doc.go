// Package team manages the teams of developer accounts: their members, the members'
// roles, and what each role may do in the developer console
// (behaviour: console#roles, console#members).
//
// It must never reveal to a person whether another account's resource exists, and never
// remove the last owner of a team.
package team
