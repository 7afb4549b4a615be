// Package console manages the developer console's OAuth app and the sessions of the console's users
// (behaviour: console#sessions, console#the-consoles-own-app).
//
// It must never accept a session whose connection with the console's app has ended.
package console
