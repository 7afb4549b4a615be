package redisx

import (
	"context"
	"crypto/sha1" //nolint:gosec // Redis identifies scripts by their SHA-1
	"encoding/hex"

	"github.com/redis/go-redis/v9"
)

// Processor executes commands. Every go-redis client implements it.
type Processor interface {
	Process(ctx context.Context, cmd redis.Cmder) error
}

// Script is a Lua script that must not be executed twice, because each execution counts against a
// limit.
type Script struct{ source, sha string }

// NewScript returns a script.
func NewScript(source string) *Script {
	sum := sha1.Sum([]byte(source)) //nolint:gosec // not used for security
	return &Script{source: source, sha: hex.EncodeToString(sum[:])}
}

// Run executes the script at most once. It sends the script again only if the server reports that it
// does not have the script (after SCRIPT FLUSH or a restart) or that the keys are on a different node;
// in both cases, nothing has been executed. After any other error, it is unknown whether the script
// was executed.
func (s *Script) Run(ctx context.Context, rdb Processor, keys []string, args ...any) *redis.Cmd {
	cmd := s.call(ctx, rdb, "evalsha", s.sha, keys, args)
	if redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
		return s.call(ctx, rdb, "eval", s.source, keys, args)
	}
	return cmd
}

// Pipelines executes commands and pipelines. Every go-redis client implements it.
type Pipelines interface {
	Processor
	Pipeline() redis.Pipeliner
}

// RunWith is like Run, but also sends the commands that add queues, after the script and in the same
// round trip. They are complete when RunWith returns. If their keys are on a different node of a
// cluster, both nodes are called concurrently. Only the script is sent a second time.
func (s *Script) RunWith(ctx context.Context, rdb Pipelines, add func(redis.Pipeliner), keys []string, args ...any) *redis.Cmd {
	pipe := rdb.Pipeline()
	cmd := command(ctx, "evalsha", s.sha, keys, args)
	_ = pipe.Process(ctx, once{cmd})
	add(pipe)
	_, _ = pipe.Exec(ctx) // each command contains its error
	if redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
		return s.call(ctx, rdb, "eval", s.source, keys, args)
	}
	return cmd
}

func (s *Script) call(ctx context.Context, rdb Processor, name, script string, keys []string, args []any) *redis.Cmd {
	cmd := command(ctx, name, script, keys, args)
	_ = rdb.Process(ctx, once{cmd}) // the command contains the error
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

// once is a command that is never retried. The cluster client retries after a broken connection, which
// can be disabled only together with redirections.
type once struct{ *redis.Cmd }

func (once) NoRetry() bool { return true }
