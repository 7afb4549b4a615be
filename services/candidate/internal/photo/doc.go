// Package photo serves the photos of people.
//
// It knows no permission: who may see a photo is decided before this package is asked, by
// the address that the gateway has signed (behaviour: photos). It must never fetch
// anything: a photo that lies elsewhere is given as its address, and service cvrender
// decides whether that may be fetched.
package photo
