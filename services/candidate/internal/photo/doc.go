// Package photo serves the photos of people.
//
// It checks no permissions: the signed address of a photo proves them (behaviour: photos). It
// must never fetch anything: it returns the URL of an external photo, and service cvrender
// decides whether to fetch it.
package photo
