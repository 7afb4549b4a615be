// Makes and uses passkeys (WebAuthn). A form with data-passkey holds a button, which stays
// hidden where this script does not run or the browser has no passkeys, the field credential,
// and what is said when something goes wrong, by data-passkey-fault.
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

// begin gives the options of a ceremony, or undefined when the browser is led elsewhere: to prove
// to be there, or to sign in.
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

// How long a challenge of a suggestion is good, in milliseconds. The site takes it for five
// minutes, of which one is for the person.
const good = 4 * 60 * 1000

// suggest has the browser offer its passkeys in a field, before anybody asks for one
// (WebAuthn §5.1.4, conditional mediation). It gives a function that ends the offer. What fails
// is not told: nobody has asked for anything, and the button is there.
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
      // Ended by us, or refused by the person or the site.
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
    withdraw() // a browser asks for one passkey at a time
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
