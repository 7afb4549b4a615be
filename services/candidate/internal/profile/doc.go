// Package profile is the profiles of persons and their CVs: what they hold, the
// rules for what may be written, and the use cases of internal teams.
//
// Its answers hold private fields. It must never answer a partner: package sharing does,
// through package projection.
package profile
