// Package person creates and reads the accounts with which people sign in. Their profiles and CVs belong to the
// candidate service, which uses the same id.
//
// It must never return a password, and must return a password's hash only for checking a sign-in.
package person
