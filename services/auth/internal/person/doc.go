// Package person is about people's accounts, with which they sign in. Their profiles
// and CVs belong to the candidate service under the same id.
//
// It must never hand out a password, nor its hash beyond the check at sign-in.
package person
