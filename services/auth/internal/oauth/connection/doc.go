// Package connection manages the apps that a person has connected: what each app sees, and how a connection ends
// (behaviour: sign-in#disconnecting, sign-in#turning-cv-sharing-off).
//
// It must never show or change another person's connection. A call that revokes credentials must never return before
// they are rejected everywhere.
package connection
