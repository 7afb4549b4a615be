// Package legacy is the HTTP face of the older profile-sharing interface (spec:
// Older profile-sharing interface; decisions 43, 44 and 130 to 139): a translation
// onto the same services, with its own envelope and codes.
//
// It decodes, calls and encodes. It must never decide anything about a client, a
// code, a token or a profile, nor show what the newer interfaces would not.
package legacy
