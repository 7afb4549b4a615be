// Creates and uses passkeys (WebAuthn). A form with data-passkey contains a button, which stays
// hidden if this script does not run or the browser does not support passkeys, the field credential,
// and the error messages with data-passkey-fault.
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const create = async (options) => {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((one) => ({ ...one, id: bytes(one.id) })),
  }
  const made = await navigator.credentials.create({ publicKey })
  return answer(made, {
    attestationObject: text(made.response.attestationObject),
    transports: made.response.getTransports?.() ?? [],
  })
}

const get = async (options, how = {}) => {
  const shown = await navigator.credentials.get({ ...how, publicKey: { ...options, challenge: bytes(options.challenge) } })
  return answer(shown, {
    authenticatorData: text(shown.response.authenticatorData),
    signature: text(shown.response.signature),
    userHandle: shown.response.userHandle && text(shown.response.userHandle),
  })
}

const answer = (credential, response) => ({
  id: credential.id,
  rawId: text(credential.rawId),
  type: credential.type,
  clientExtensionResults: {},
  response: { clientDataJSON: text(credential.response.clientDataJSON), ...response },
})

const faults = { NotAllowedError: 'cancelled', AbortError: 'cancelled', InvalidStateError: 'exists', NotSupportedError: 'unsupported', ConstraintError: 'unsupported', SecurityError: 'unsupported' }

// begin returns the options of a ceremony, or undefined if the browser is redirected to
// re-authenticate or sign in.
const begin = async (form) => {
  const begun = await fetch(form.dataset.start, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
  if (begun.redirected) {
    location.assign(begun.url)
    return undefined
  }
  if (!begun.ok) throw new Error(begun.statusText)
  return begun.json()
}

const send = (form, credential) => {
  form.elements.credential.value = JSON.stringify(credential)
  form.submit()
}

// The time in milliseconds after which the challenge of a suggestion is renewed. The site accepts a
// challenge for five minutes, so the person has at least one minute to respond.
const good = 4 * 60 * 1000

// suggest makes the browser offer its passkeys in a field without a click on the button
// (WebAuthn §5.1.4, conditional mediation). It returns a function that cancels the offer. Errors are
// not shown, because the person has not asked for anything and can still use the button.
const suggest = (form, field) => {
  let offer
  let since = 0
  const renew = async () => {
    if (Date.now() - since < good) return
    since = Date.now()
    offer?.abort()
    const mine = offer = new AbortController()
    try {
      const options = await begin(form)
      if (options) send(form, await get(options, { mediation: 'conditional', signal: mine.signal }))
    } catch {
      // Cancelled by this script, or rejected by the person or the site.
    }
  }
  field.addEventListener('focus', renew)
  renew()
  return () => {
    offer.abort()
    since = 0
  }
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const button = form.querySelector('button[data-passkey-button]')
  const say = (fault) => {
    for (const one of form.querySelectorAll('[data-passkey-fault]')) one.hidden = one.dataset.passkeyFault !== fault
  }
  if (!window.PublicKeyCredential) {
    say('unsupported')
    continue
  }
  let withdraw = () => {}
  const field = document.getElementById(form.dataset.suggestedAt)
  if (field && await PublicKeyCredential.isConditionalMediationAvailable?.()) withdraw = suggest(form, field)
  button.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    say('')
    button.disabled = true
    withdraw() // browsers allow only one passkey request at a time
    try {
      const options = await begin(form)
      if (options) send(form, await (form.dataset.passkey === 'create' ? create(options) : get(options)))
    } catch (error) {
      say(faults[error.name] ?? 'unavailable')
    } finally {
      button.disabled = false
    }
  })
}
