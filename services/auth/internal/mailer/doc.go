// Package mailer hands mail over: to an SMTP server, or to a folder where a developer reads
// it.
//
// It must never speak to a server on another machine in the clear, unless the deployment
// says so, and never give a password to a server that has not proven its name.
package mailer
