// Package console manages the developer console's own app and its users' sessions
// (behaviour: console#sessions, console#the-consoles-own-app).
//
// It must never accept a session whose connection with the console's app has ended.
package console
