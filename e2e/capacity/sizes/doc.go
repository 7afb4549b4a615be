// Package sizes measures what the product keeps of each thing: in Postgres with indexes, in
// Redis, and in the bucket. Sizes do not depend on how busy the machine is, so a test holds
// that they are those of package capacity's file.
//
// The demo world is imported, a person of it connects an app, and the app uses its tokens. So
// every row is one that the product has written. Rows are then copied, until a table has some
// ten thousand and a page more or less counts no longer. A copy has ids of its own, which are
// as long as the product's and sort by the time like them, and hashes of its own; everything
// else is what was copied.
package sizes
