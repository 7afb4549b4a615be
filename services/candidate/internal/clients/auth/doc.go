// Package auth is the client of service auth: whose a browser session is, what auth stores about a
// person, the email about an export, who read an application, and whose profiles to create and data to
// delete. auth calls no other service, so candidate asks for that work.
//
// The gateway calls candidate with a person's session, never with their id, so that a compromised
// gateway can act only for people who are signed in.
package auth
