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

const get = async (options) => {
  const shown = await navigator.credentials.get({ publicKey: { ...options, challenge: bytes(options.challenge) } })
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

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const button = form.querySelector('button[data-passkey-button]')
  const say = (fault) => {
    for (const one of form.querySelectorAll('[data-passkey-fault]')) one.hidden = one.dataset.passkeyFault !== fault
  }
  if (!window.PublicKeyCredential) {
    say('unsupported')
    continue
  }
  button.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    say('')
    button.disabled = true
    try {
      const begun = await fetch(form.dataset.start, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
      if (begun.redirected) { // to prove to be there, or to sign in
        location.assign(begun.url)
        return
      }
      if (!begun.ok) throw new Error(begun.statusText)
      const options = await begun.json()
      form.elements.credential.value = JSON.stringify(await (form.dataset.passkey === 'create' ? create(options) : get(options)))
      form.submit()
    } catch (error) {
      say(faults[error.name] ?? 'unavailable')
    } finally {
      button.disabled = false
    }
  })
}
