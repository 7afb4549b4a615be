// Package localstack reads and writes the file in the data folder of a local stack with which
// vitaectl and tests find its addresses and a client certificate. The stack writes it once it
// serves.
//
// The file contains addresses and file names, but no secrets.
package localstack
