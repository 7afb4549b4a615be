package redisx

import (
	"context"
	"crypto/sha1" //nolint:gosec // Redis names scripts so
	"encoding/hex"

	"github.com/redis/go-redis/v9"
)

// Processor is what a script runs on: any client of go-redis.
type Processor interface {
	Process(ctx context.Context, cmd redis.Cmder) error
}

// Script is a Lua script of which a call must never run twice, because it spends.
type Script struct{ source, sha string }

// NewScript makes a script.
func NewScript(source string) *Script {
	sum := sha1.Sum([]byte(source)) //nolint:gosec // no secret
	return &Script{source: source, sha: hex.EncodeToString(sum[:])}
}

// Run runs the script once at most. It is sent again only to a server that has
// said that it does not have the script (after SCRIPT FLUSH or a restart), or that
// the keys are elsewhere in the cluster: both have run nothing. An error of any
// other kind leaves open whether it ran.
func (s *Script) Run(ctx context.Context, rdb Processor, keys []string, args ...any) *redis.Cmd {
	cmd := s.call(ctx, rdb, "evalsha", s.sha, keys, args)
	if redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
		return s.call(ctx, rdb, "eval", s.source, keys, args)
	}
	return cmd
}

// Pipelines is what a script runs on beside other commands: any client of go-redis.
type Pipelines interface {
	Processor
	Pipeline() redis.Pipeliner
}

// RunBeside is Run with other commands in the same round trip, after the script: beside adds
// them, and they are done when it returns. Where their keys are on another server of the
// cluster, both are asked at once. Only the script is sent a second time.
func (s *Script) RunBeside(ctx context.Context, rdb Pipelines, beside func(redis.Pipeliner), keys []string, args ...any) *redis.Cmd {
	pipe := rdb.Pipeline()
	cmd := command(ctx, "evalsha", s.sha, keys, args)
	_ = pipe.Process(ctx, once{cmd})
	beside(pipe)
	_, _ = pipe.Exec(ctx) // each command holds its error
	if redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
		return s.call(ctx, rdb, "eval", s.source, keys, args)
	}
	return cmd
}

func (s *Script) call(ctx context.Context, rdb Processor, name, script string, keys []string, args []any) *redis.Cmd {
	cmd := command(ctx, name, script, keys, args)
	_ = rdb.Process(ctx, once{cmd}) // the command holds the error
	return cmd
}

func command(ctx context.Context, name, script string, keys []string, args []any) *redis.Cmd {
	all := make([]any, 0, 3+len(keys)+len(args))
	all = append(all, name, script, len(keys))
	for _, k := range keys {
		all = append(all, k)
	}
	cmd := redis.NewCmd(ctx, append(all, args...)...)
	cmd.SetFirstKeyPos(3)
	return cmd
}

// once is a command that is not sent again. The cluster client would: its retries
// after a broken connection cannot be switched off without its redirections.
type once struct{ *redis.Cmd }

// NoRetry implements redis.Cmder.
func (once) NoRetry() bool { return true }
