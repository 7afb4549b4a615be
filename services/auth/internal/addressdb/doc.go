// Package addressdb tells in which country a network address is, from a file that whoever runs
// the deployment provides (behaviour: accounts#countries). The file is in the MaxMind DB format,
// version 2.0, with the records of GeoIP2 and its like: the country's ISO 3166-1 alpha-2 code is
// at country.iso_code.
//
// It must never send an address anywhere, nor keep one.
package addressdb
