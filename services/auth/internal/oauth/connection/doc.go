// Package connection manages the apps that a person has connected: what each app sees, and
// how a connection ends (behaviour: sign-in#disconnecting, sign-in#turning-cv-sharing-off).
//
// It must never show or change a different person's connection, and never return before the revoked
// credentials are rejected everywhere.
package connection
