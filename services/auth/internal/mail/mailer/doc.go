// Package mailer sends email to an SMTP server, or writes it to a folder for development.
//
// It must never use an unencrypted connection to another machine unless it is configured to,
// and never send a password to a server without a valid certificate.
package mailer
