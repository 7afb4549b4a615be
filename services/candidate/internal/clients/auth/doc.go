// Package auth is the client for the auth service. It identifies the person to whom a browser session belongs,
// reads what the auth service stores about a person, and sends the email about an export. It also reports who
// read an application, and fetches the work to be done: profiles to create and data to delete. The auth service
// calls no other service, so the candidate service has to ask for that work.
//
// The gateway calls the candidate service with a person's session, never with the person's id, so a compromised
// gateway can act only for people who are signed in.
package auth
