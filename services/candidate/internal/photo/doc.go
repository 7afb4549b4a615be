// Package photo serves the photos of people.
//
// It does not check permissions, because a valid signed URL proves that the photo may be seen
// (behaviour: photos). It must never fetch anything: it returns the URL of an external photo, and
// the cvrender service decides whether to fetch it.
package photo
