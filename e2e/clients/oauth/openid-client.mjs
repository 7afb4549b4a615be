// This program acts as a partner's server. It uses openid-client as its documentation
// recommends. AUTH is the client authentication method: basic, post or none.
import * as client from 'openid-client'
import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'

const { BASE, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, AUTH } = process.env
const way = {
  basic: () => client.ClientSecretBasic(CLIENT_SECRET),
  post: () => client.ClientSecretPost(CLIENT_SECRET),
  none: () => client.None(),
}[AUTH]()

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const config = await client.discovery(new URL(BASE), CLIENT_ID, undefined, way, {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests], // the test stack does not use TLS
})

async function signIn(scope) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  console.log(client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI, scope, state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256',
  }).href)
  const back = new URL((await lines.next()).value)
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState })
}

const refused = (error) => (e) => e instanceof client.ResponseBodyError && e.error === error

const first = await signIn('profile email cv:read cv:contact')
assert.equal(first.scope, 'profile email cv:read cv:contact')
assert.ok(first.expiresIn() > 3500)
const answer = await client.fetchProtectedResource(config, first.access_token, new URL(`${BASE}/v1/me/cv`), 'GET')
assert.equal((await answer.json()).error, null)

const known = await client.tokenIntrospection(config, first.refresh_token)
assert.deepEqual([known.active, known.client_id, known.token_type], [true, CLIENT_ID, 'Bearer'])

const second = await client.refreshTokenGrant(config, first.refresh_token)
assert.notEqual(second.refresh_token, first.refresh_token)
await assert.rejects(client.refreshTokenGrant(config, second.refresh_token, { scope: 'profile admin' }), refused('invalid_scope'))

await client.tokenRevocation(config, second.refresh_token)
assert.equal((await client.tokenIntrospection(config, second.access_token)).active, false)
await assert.rejects(client.refreshTokenGrant(config, second.refresh_token), refused('invalid_grant'))
await assert.rejects(client.fetchProtectedResource(config, second.access_token, new URL(`${BASE}/v1/me`), 'GET'),
  (e) => e instanceof client.WWWAuthenticateChallengeError && e.status === 401)

await assert.rejects(signIn('profile'), (e) => e instanceof client.AuthorizationResponseError && e.error === 'access_denied')
console.log('done')
process.stdin.destroy()
