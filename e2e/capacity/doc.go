// Package capacity computes what a deployment needs (docs/scale.md) from two files:
//
//   - coefficients.json holds what was measured: the processor time of each kind of request
//     by process, the bytes of each kind of row, what Redis keeps, what a write adds to the log
//     of Postgres. `make capacity` measures it anew.
//   - scenarios.json holds what is assumed: how many people there are, what they and partners
//     do, and how large a machine may be.
//
// Nothing here guesses. Whatever a table says is one of these figures or follows from them by
// adding and multiplying, so that an operator with other assumptions changes scenarios.json and
// reads other tables. The tables of docs/scale.md are written by the program in cmd/capacity,
// and a test holds that they are the ones that these files give.
package capacity
