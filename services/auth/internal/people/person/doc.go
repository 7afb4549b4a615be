// Package person creates and reads the accounts with which people sign in. Their profiles and
// CVs belong to the candidate service under the same id.
//
// It must never return a password, nor its hash except to the check at sign-in.
package person
