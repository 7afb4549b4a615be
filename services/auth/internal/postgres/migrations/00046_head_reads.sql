-- +goose Up
-- A HEAD request tells what a GET request does but for the body, so it is a read too. The functions are for
-- requests that replicas of the release before log.
CREATE OR REPLACE FUNCTION read_kind(method text, route text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN method IN ('GET', 'HEAD') THEN CASE route
  WHEN '/v1/me' THEN 'identity'
  WHEN '/v1/me/cv' THEN 'cv'
  WHEN '/v1/me/cv.pdf' THEN 'pdf'
  WHEN '/v1/cv-links/{token}' THEN 'link'
  WHEN '/v1/photos/{token}' THEN 'photo'
  WHEN '/api/oauth/profile' THEN 'profile'
END END;
CREATE OR REPLACE FUNCTION reads_application(method text, route text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN method IN ('GET', 'HEAD') AND route = '/v1/candidates/{applicationId}';

-- +goose Down
CREATE OR REPLACE FUNCTION read_kind(method text, route text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN method = 'GET' THEN CASE route
  WHEN '/v1/me' THEN 'identity'
  WHEN '/v1/me/cv' THEN 'cv'
  WHEN '/v1/me/cv.pdf' THEN 'pdf'
  WHEN '/v1/cv-links/{token}' THEN 'link'
  WHEN '/v1/photos/{token}' THEN 'photo'
  WHEN '/api/oauth/profile' THEN 'profile'
END END;
CREATE OR REPLACE FUNCTION reads_application(method text, route text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN method = 'GET' AND route = '/v1/candidates/{applicationId}';
