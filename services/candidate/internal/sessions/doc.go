// Package sessions finds the person behind a browser session, by asking auth. The gateway
// calls for a person with their session, never with their id: whoever took over the gateway
// could reach the profiles of people who are signed in, and no others.
package sessions
