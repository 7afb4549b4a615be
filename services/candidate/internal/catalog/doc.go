// Package catalog is the client of service partnercatalog: it reads jobs and reports
// totals of applications, over gRPC. It turns the contract's messages into the types of
// packages application and delivery.
//
// It must never hold a rule about jobs or applications.
package catalog
