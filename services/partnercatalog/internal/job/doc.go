// Package job contains the rules for jobs: their fields, the conditions for being live, and the
// transitions between draft, active, closed and archived
// (behaviour: jobs#job-resource, jobs#job-states).
//
// There are two kinds of rules. The shape (shape.go) applies to every job, including drafts:
// lengths, allowed values, and sizes of lists. The publish contract (contract.go) applies only to
// live jobs. A request that violates the shape can never succeed (errs.Invalid). A request that
// violates the contract or the state table conflicts with the state of the job (errs.Precondition).
// Errors identify fields by their path in the .proto file.
//
// A live job must never violate the contract. Every change must therefore be made by Job.edit,
// Job.publish, Job.close or Job.archive, on a row that the store has locked.
package job
