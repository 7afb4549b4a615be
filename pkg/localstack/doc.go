// Package localstack reads and writes a file in the data folder of a local stack. With this file,
// vitaectl and tests find the stack's addresses and a client certificate. The stack writes it when
// it is ready to serve requests.
//
// The file contains addresses and file names, but no secrets.
package localstack
