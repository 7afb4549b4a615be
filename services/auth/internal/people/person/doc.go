// Package person creates and reads the accounts with which people sign in. Their profiles and CVs
// belong to the candidate service, which uses the same id.
//
// It must never return a password. It returns a password's hash only to the check at sign-in.
package person
