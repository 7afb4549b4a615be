-- +goose Up

-- The service adds up the requests of a batch before it writes them to the log, which costs
-- less than reading them again here. A transaction that has written the summaries says so
-- with a setting of its own. For replicas of the release before, which do not, the trigger
-- still writes them.
CREATE OR REPLACE TRIGGER request_log_summary AFTER INSERT ON request_log
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT
WHEN (current_setting('vitae.requests_are_summarized', true) IS DISTINCT FROM 'yes')
EXECUTE FUNCTION summarize_requests();

-- +goose Down
-- Only when no replica that writes summaries runs any more: the trigger would count with it.
CREATE OR REPLACE TRIGGER request_log_summary AFTER INSERT ON request_log
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION summarize_requests();
