// Package console is the developer console: the site at VITAE_CONSOLE_ADDR on which the
// developers of partners manage their apps, credentials and team (behaviour: console).
//
// This package signs people in, as any partner's site does, and combines the subjects, which
// are its subdirectories. auth decides who may do what, from the session that each call
// carries; the pages only omit what a role cannot use.
package console
