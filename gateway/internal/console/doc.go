// Package console implements the developer console, the site at VITAE_CONSOLE_ADDR where partners'
// developers manage their apps, credentials and team (behaviour: console).
//
// This package signs people in, as any partner's site does, and combines the packages of pages in
// its subdirectories. The auth service authorizes each call, based on the session that the call
// carries. The pages merely hide what a role may not use.
package console
