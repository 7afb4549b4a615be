// Package console is about the developer console's own app, and about the sessions of
// people there (behaviour: console#sessions, console#the-consoles-own-app).
//
// It must never take a session for live whose connection with the console's app has ended.
package console
