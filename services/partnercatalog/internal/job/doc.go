// Package job holds the rules of jobs: the fields of a job, the conditions of being
// live, and the moves between draft, active, closed and archived
// (behaviour: jobs#job-resource, jobs#job-states).
//
// There are two kinds of rule. The shape (shape.go) holds for every job, drafts
// included: lengths, allowed values, list sizes. The publish contract
// (contract.go) holds for live jobs only. A request that breaks the shape can
// never succeed (errs.Invalid). One that breaks the contract or the state table
// is forbidden by the state of the job (errs.Precondition). Faults name their fields
// by the paths in the .proto.
//
// The package must never let a live job break the contract: every change of a job
// goes through Job.edit, Job.publish, Job.close or Job.archive, on a row that the
// store has locked.
package job
