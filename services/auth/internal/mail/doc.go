// Package mail sends emails to people: links that verify an email address or replace a forgotten password, and
// notices about what happened to an account.
//
// The transaction that makes a change also writes the outbox entry of its email. A job sends each entry at least
// once, always with the same Message-ID, but stops trying when the email is no longer useful
// (behaviour: accounts#email-delivery).
//
// The content is written when the email is sent. Whether the address has an account is therefore checked in the job
// and not while a caller waits, so neither the response nor its timing can reveal it. An entry must never contain a
// working link or any text typed by a stranger other than the email address.
package mail
