// Package geoip looks up the country of an IP address in a file that the operator provides
// (behaviour: accounts#countries). The file is in the MaxMind DB format, version 2.0, with records
// like those of GeoIP2: the ISO 3166-1 alpha-2 code is at country.iso_code.
//
// It must never store an IP address or send one anywhere.
package geoip
