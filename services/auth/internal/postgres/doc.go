// Package postgres contains the auth service's stores, grouped by topic, and the migrations.
//
// The stores run the queries in queries/*.sql through sqlc. The comment of each query names the index that it uses.
// The stores contain no domain rules: if a rule must hold inside a transaction, they call a function of the domain.
//
// Every transaction takes locks in the same order, so that transactions don't deadlock: connection, codes, families,
// access tokens, links. A transaction that ends a consent locks the connection first. It then ends the rows below it
// statement by statement, and each statement waits for exchanges and rotations in progress. It reads the credentials
// whose session records must be deleted last, so that it finds the tokens of those rotations.
package postgres
