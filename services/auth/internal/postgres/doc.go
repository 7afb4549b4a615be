// Package postgres has the stores of auth by subject, and the migrations.
//
// The stores run the queries of queries/*.sql, each of which names its index, through sqlc.
// They contain no rule of the domain: if a rule must hold inside a transaction, they call a
// function of the domain.
//
// Every transaction takes locks in the same order, so that no two of them wait for each other:
// connection, codes, families, access tokens, links. A transaction that ends a consent locks
// the connection first. It then ends the rows below it statement by statement, and each
// statement waits for exchanges and rotations in progress. It reads the credentials whose
// session records must be deleted last, so that it finds the tokens of those rotations.
package postgres
