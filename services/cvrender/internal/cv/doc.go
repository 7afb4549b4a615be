// Package cv is a CV as the renderer sees it: everything that it shows, and nothing about who may
// see it. An empty string means none.
//
// It must never contain data that the privacy projection of service candidate omits.
package cv
