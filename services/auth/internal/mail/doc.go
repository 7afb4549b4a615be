// Package mail sends mail to people: links that verify an address or replace a forgotten
// password, and notices of what has happened to an account.
//
// An entry of the outbox is written in the transaction of what the mail tells of. A job
// sends it, at least once and always with the same Message-ID, and gives up when the mail
// is worth nothing any more (behaviour: accounts#email-delivery).
//
// What stands in a mail is made when it is sent. So it is decided then, and not while
// somebody waits for an answer, whether an address has an account: neither the answer nor
// its time can tell. An entry never holds a link that works, nor anything that a stranger
// has typed but the address.
package mail
