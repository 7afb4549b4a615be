// This program acts as a partner's server. It uses oauth4webapi, which validates every response
// against its RFC. AUTH is the client authentication method: basic, post or none.
import * as oauth from 'oauth4webapi'
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'

const { BASE, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, AUTH } = process.env
const options = { [oauth.allowInsecureRequests]: true } // the test stack does not use TLS
const client = { client_id: CLIENT_ID }
const way = {
  basic: () => oauth.ClientSecretBasic(CLIENT_SECRET),
  post: () => oauth.ClientSecretPost(CLIENT_SECRET),
  none: () => oauth.None(),
}[AUTH]()

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

// Discovery (RFC 8414).
const issuer = new URL(BASE)
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }))
assert.equal(as.authorization_response_iss_parameter_supported, true)
assert.ok(as.code_challenge_methods_supported.includes('S256'))
assert.ok(as.service_documentation.endsWith('/docs'))

// signIn sends the person to Vitae and validates the response (RFC 6749, 7636, 9207).
async function signIn(scope) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const to = new URL(as.authorization_endpoint)
  to.search = new URLSearchParams({
    response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, scope, state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  })
  console.log(to.href)
  const back = new URL((await lines.next()).value)
  return { answer: oauth.validateAuthResponse(as, client, back, state), verifier, back, state }
}

const redeem = async ({ answer, verifier }) =>
  oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(as, client, way, answer, REDIRECT_URI, verifier, options))
const refresh = async (token, scope) =>
  oauth.processRefreshTokenResponse(as, client, await oauth.refreshTokenGrantRequest(as, client, way, token,
    { ...options, ...(scope && { additionalParameters: { scope } }) }))
const introspect = async (token) =>
  oauth.processIntrospectionResponse(as, client, await oauth.introspectionRequest(as, client, way, token, options))
const revoke = async (token) =>
  oauth.processRevocationResponse(await oauth.revocationRequest(as, client, way, token, options))
const read = async (token) => {
  const res = await oauth.protectedResourceRequest(token, 'GET', new URL(`${BASE}/v1/me`), undefined, undefined, options)
  return (await res.json()).data
}
const refused = (error) => (e) => e instanceof oauth.ResponseBodyError && e.error === error && e.status === 400

const session = await signIn('profile email cv:read')
const first = await redeem(session)
assert.equal(first.token_type, 'bearer')
assert.equal(first.scope, 'profile email cv:read')
assert.equal(first.expires_in, 3600)
const me = await read(first.access_token)

// A response from a different issuer, or to a different sign-in, is rejected.
const foreign = new URL(session.back)
foreign.searchParams.set('iss', 'https://elsewhere.example.com')
assert.throws(() => oauth.validateAuthResponse(as, client, foreign, session.state), oauth.OperationProcessingError)
assert.throws(() => oauth.validateAuthResponse(as, client, session.back, oauth.generateRandomState()), oauth.OperationProcessingError)

// Introspection (RFC 7662).
const known = await introspect(first.access_token)
assert.deepEqual([known.active, known.client_id, known.sub, known.scope], [true, CLIENT_ID, me.id, 'profile email cv:read'])
assert.deepEqual(await introspect('svc_at_nothing'), { active: false })

// Refresh, with rotation and with a narrower scope.
const second = await refresh(first.refresh_token, 'profile')
assert.equal(second.scope, 'profile')
assert.notEqual(second.refresh_token, first.refresh_token)
const third = await refresh(second.refresh_token)
assert.equal(third.scope, 'profile email cv:read')
await assert.rejects(refresh(third.refresh_token, 'profile cv:contact'), refused('invalid_scope'))

// Revocation (RFC 7009) also succeeds for unknown tokens.
await revoke(third.refresh_token)
await revoke('svc_rt_nothing')
assert.deepEqual(await introspect(third.access_token), { active: false })
await assert.rejects(refresh(third.refresh_token), refused('invalid_grant'))
await assert.rejects(read(third.access_token), (e) => e instanceof oauth.WWWAuthenticateChallengeError && e.status === 401 &&
  e.cause[0].scheme === 'bearer' && e.cause[0].parameters.error === 'invalid_token')

// Using a rotated refresh token again revokes all tokens of the sign-in.
const again = await redeem(await signIn('profile'))
const rotated = await refresh(again.refresh_token)
await assert.rejects(refresh(again.refresh_token), refused('invalid_grant'))
await assert.rejects(refresh(rotated.refresh_token), refused('invalid_grant'))

// A code works only once, and only with its verifier.
const attempt = await signIn('profile')
await assert.rejects(redeem({ ...attempt, verifier: oauth.generateRandomCodeVerifier() }), refused('invalid_grant'))
await redeem(attempt)
await assert.rejects(redeem(attempt), refused('invalid_grant'))

// A client with a wrong secret is rejected.
if (AUTH !== 'none') {
  const wrong = { basic: oauth.ClientSecretBasic, post: oauth.ClientSecretPost }[AUTH]('svc_cs_wrong')
  const request = oauth.refreshTokenGrantRequest(as, client, wrong, third.refresh_token, options)
  await assert.rejects(request.then((res) => oauth.processRefreshTokenResponse(as, client, res)), (e) =>
    (e instanceof oauth.WWWAuthenticateChallengeError && e.cause[0].scheme === 'basic') ||
    (e instanceof oauth.ResponseBodyError && e.error === 'invalid_client' && e.status === 401))
}

// The person denies consent.
await assert.rejects(signIn('profile email'), (e) => e instanceof oauth.AuthorizationResponseError && e.error === 'access_denied')
console.log('done')
process.stdin.destroy()
