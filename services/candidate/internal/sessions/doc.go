// Package sessions finds the person behind a browser session, by asking auth. The gateway
// calls for a person with their session, never with their id: whoever took over the gateway
// could reach what is theirs of people who are signed in, and of no others (ADR 49).
package sessions
