// Package connection manages the apps that a person has connected: what each app sees, and
// how a connection ends (behaviour: sign-in#disconnecting, sign-in#turning-cv-sharing-off).
//
// It must never show or change a connection of another person, and never answer before the
// ended credentials are refused everywhere.
package connection
