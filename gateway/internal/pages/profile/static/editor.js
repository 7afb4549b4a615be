// Saves a draft of a profile or CV form while the person is writing, and stores in this browser what the site
// does not have yet. Nobody else sees a draft before the person presses Save. Without this script there are no
// drafts, but everything else on the page works.
const form = document.getElementById('editor')
const state = document.getElementById('save-state')
const compare = document.getElementById('compare')
const texts = form.dataset

// How long to wait after the last keystroke before saving, and after a failed save, in milliseconds.
const pause = 1000
const retry = 5000

// Drafts are stored per person, so the next person in this browser does not see them. Each tab has its
// own draft, so that two tabs without a connection do not overwrite each other's.
const drafts = 'vitae-draft '
const tab = sessionStorage.getItem('vitae-tab') ?? Math.random().toString(36).slice(2)
sessionStorage.setItem('vitae-tab', tab)
const formKey = `${drafts}${texts.owner} ${form.action} `
const draftKey = formKey + tab
// Each tab holds a lock while its editor is open. It shows other tabs that the text is still being written.
const locks = navigator.locks
locks?.request(`vitae-tab ${tab}`, () => new Promise(() => {}))

let timer = 0
let sending = false
let changed = false
// publishing reports whether Save was pressed and the site has not stored the form yet.
let publishing = false
// stopped reports whether saving is pointless until the person has made a decision.
let stopped = false

const say = (text, unsaved) => {
  state.textContent = text
  state.classList.toggle('fault', Boolean(unsaved))
}

// contents returns the names and values in the form, without fields that concern only the page.
const contents = () => [...new FormData(form)].filter(([name]) => !['csrf', 'version', 'draft'].includes(name))

const keep = () => {
  const draft = { at: Date.now(), version: form.elements.version.value, draft: form.elements.draft.value, contents: contents() }
  try {
    localStorage.setItem(draftKey, JSON.stringify(draft))
  } catch {
    // The browser does not store data for this site. The page still has the text.
  }
}

const forget = () => localStorage.removeItem(draftKey)

const dropOthers = () => {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(drafts) && !key.startsWith(`${drafts}${texts.owner} `)) localStorage.removeItem(key)
  }
}

// stored reads a draft. It removes the draft if it is invalid.
const stored = (key) => {
  try {
    const draft = JSON.parse(localStorage.getItem(key))
    if (Array.isArray(draft?.contents)) return [{ key, ...draft }]
  } catch {
    // It is removed below, like any invalid draft.
  }
  localStorage.removeItem(key)
  return []
}

// left returns the drafts of this form that belong to no open tab, newest first.
const left = async () => {
  const { held } = await locks?.query() ?? { held: [] }
  const open = new Set(held.map((lock) => lock.name))
  return Object.keys(localStorage).filter((key) => key.startsWith(formKey) && !open.has(`vitae-tab ${key.slice(formKey.length)}`))
    .flatMap(stored).sort((a, b) => b.at - a.at)
}

// setAside stores this tab's text separately, so that a later visit can compare it.
const setAside = () => {
  const text = localStorage.getItem(draftKey)
  if (text === null) return
  localStorage.setItem(formKey + Math.random().toString(36).slice(2), text)
  forget()
}

// same reports whether a draft has the same content as the page. It ignores white space around texts,
// which the site does not store.
const same = (draft) => {
  const plain = (pairs) => JSON.stringify(pairs.map(([name, value]) => [name, value.split('\n').map((l) => l.trim()).filter(Boolean)]))
  return plain(draft.contents) === plain(contents())
}

// Entries.

const listOf = (name) => form.querySelector(`[data-list="${name}"]`)
const blankOf = (name) => form.querySelector(`template[data-blank="${name}"]`)

// add adds an entry to a list, under a key that no other entry has.
const add = (name, key) => {
  const list = listOf(name)
  const holder = document.createElement('template')
  holder.innerHTML = blankOf(name).innerHTML.replaceAll('NEW', key)
  const entry = holder.content.firstElementChild
  list.append(entry)
  return entry
}

const freeKey = (name) => {
  const taken = new Set([...form.querySelectorAll(`[data-list="${name}"] input[name="${name}"]`)].map((i) => i.value))
  let key = taken.size
  while (taken.has(String(key))) key++
  return String(key)
}

const focusIn = (entry) => entry.querySelector('input:not([type=hidden]), select, textarea').focus()

const rearrange = (button) => {
  const { add: list, move } = button.dataset
  const entry = button.closest('[data-entry]')
  if (list) {
    focusIn(add(list, freeKey(list)))
  } else if (move) {
    const other = move === 'up' ? entry.previousElementSibling : entry.nextElementSibling
    if (!other) return
    if (move === 'up') other.before(entry)
    else other.after(entry)
    button.focus()
  } else {
    const near = entry.nextElementSibling ?? entry.previousElementSibling
    const group = entry.closest('.card')
    entry.remove()
    if (near) near.querySelector('summary').focus()
    else group.querySelector('[data-add]').focus()
  }
  touched()
}

// unfold opens the section and the entry that contain a control.
const unfold = (control) => {
  for (let fold = control.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true
}

// fill writes contents to the form: it first creates the entries, and then sets their values.
const fill = (pairs) => {
  for (const list of form.querySelectorAll('[data-list]')) {
    list.replaceChildren()
    for (const [name, key] of pairs) if (name === list.dataset.list) add(name, key)
  }
  for (const box of form.querySelectorAll('input[type=checkbox]')) box.checked = false
  for (const [name, value] of pairs) {
    const control = form.elements[name]
    if (!control || control instanceof RadioNodeList) continue
    if (control.type === 'checkbox') control.checked = true
    else control.value = value
    if (value !== '') unfold(control)
  }
}

// Faults.

const showFaults = (faults) => {
  for (const place of form.querySelectorAll('p.fault')) {
    place.hidden = true
    place.replaceChildren()
    document.getElementById(place.id.replace(/\.fault$/, ''))?.removeAttribute('aria-invalid')
  }
  for (const { field, message } of faults) {
    const place = document.getElementById(`${field}.fault`)
    if (!place) continue
    place.innerHTML = message // HTML from this site
    place.hidden = false
    unfold(place)
    document.getElementById(field).setAttribute('aria-invalid', 'true')
  }
}

// Saving.

const plan = (delay) => {
  clearTimeout(timer)
  timer = setTimeout(save, delay)
}

// autosaved reports whether the form is saved while the person is writing. It is not if the CV does not
// exist yet or there is a conflict: then only a button saves it.
const autosaved = Boolean(texts.preview) && !('undecided' in texts)

const touched = () => {
  if (!autosaved) return
  document.querySelector('main > .notice[role=status]')?.remove() // such as "Saved.", which is no longer true
  changed = true
  keep()
  if (!stopped) {
    say(texts.unsaved, true)
    plan(pause)
  }
}

const stop = (text) => {
  stopped = true
  changed = true
  say(text, true)
}

const again = (text, delay) => {
  changed = true
  say(text, true)
  plan(delay)
}

const save = async () => {
  if (sending || stopped || !changed) return
  sending = true
  changed = false
  say(texts.saving)
  let answer
  const body = new URLSearchParams(new FormData(form))
  const published = publishing
  if (published) body.set('publish', 'on')
  try {
    answer = await fetch(form.action, {
      method: 'POST', body, headers: { Accept: 'application/json' }, redirect: 'manual',
    })
  } catch {
    sending = false
    again(texts.offline, retry)
    return
  }
  sending = false
  await settle(answer, published)
}

const settle = async (answer, published) => {
  if (answer.type === 'opaqueredirect') {
    stop(texts.signin)
  } else if (answer.status === 409) {
    stop(texts.conflict)
    compare.hidden = false
    if (published) form.requestSubmit(compare)
  } else if (answer.status === 413) {
    stop(texts.large)
  } else if (answer.status === 429 || answer.status === 503) {
    again(texts.offline, 1000 * Number(answer.headers.get('Retry-After') ?? retry / 1000))
  } else if (answer.status === 422) {
    const { faults } = await answer.json()
    publishing = false
    showFaults(faults)
    say(texts.faulty, true)
    form.querySelector('[aria-invalid=true]')?.focus()
    if (changed) plan(pause)
  } else if (answer.ok) {
    await saved(await answer.json(), published)
  } else {
    stop(texts.failed)
  }
}

const saved = async ({ version, draft, public: address, next }, published) => {
  form.elements.version.value = version
  form.elements.draft.value = draft ?? 0
  if (published) {
    publishing = false
    showFaults([])
    document.getElementById('draft')?.remove()
    showAddress(address)
  }
  if (changed) {
    keep()
    plan(pause)
    return
  }
  forget()
  if (published && next) {
    location.assign(next)
    return
  }
  say(published ? texts.saved : texts.drafted)
  await preview()
}

// The address of the public page.

const showAddress = (address) => {
  const place = document.getElementById('public-page')
  if (!place) return
  place.hidden = !address
  const link = document.getElementById('public-address')
  link.href = address ?? ''
  link.textContent = address ?? ''
}

const copy = document.getElementById('copy-address')
if (copy && navigator.clipboard) {
  copy.hidden = false
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById('public-address').href)
    copy.textContent = copy.dataset.copied
  })
}

// What a reader sees.

let nextPreview = 0

// preview shows the draft as a reader would see it. If the site is busy, it tries again later.
const preview = async () => {
  clearTimeout(nextPreview)
  const place = document.getElementById('preview')
  try {
    const answer = await fetch(texts.preview, { redirect: 'manual' })
    if (answer.status === 429 || answer.status >= 500) throw new Error(answer.status)
    if (!answer.ok) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const article = document.importNode(page.querySelector('article'), true)
    place.replaceChildren(article)
  } catch {
    nextPreview = setTimeout(preview, retry)
  }
}

// Stored text.

const current = (draft) => draft.version === form.elements.version.value && (draft.draft ?? '0') === form.elements.draft.value

const restore = (draft) => {
  fill(draft.contents)
  form.elements.version.value = draft.version
  form.elements.draft.value = draft.draft ?? 0
  changed = true
  keep()
}

// offer shows that there is a text based on an older version than the page. It does not replace the
// content of the form.
const offer = (draft) => {
  const card = document.getElementById('kept')
  card.hidden = false
  document.getElementById('compare-kept').onclick = () => {
    if (changed || sending) setAside()
    localStorage.removeItem(draft.key)
    restore(draft)
    form.requestSubmit(compare)
  }
  document.getElementById('drop-kept').onclick = () => {
    localStorage.removeItem(draft.key)
    card.hidden = true
    form.querySelector('.save-line .primary').focus()
  }
}

// begin continues with the text of this tab, or else with the newest text that a closed tab has left.
const begin = async () => {
  dropOthers()
  if ('published' in texts) { // after a save, the page shows what was saved
    forget()
    return
  }
  const own = localStorage.getItem(draftKey) === null ? [] : stored(draftKey)
  if (own.some((draft) => !same(draft) && !current(draft))) setAside()
  const [draft] = own.some((draft) => same(draft) || current(draft)) ? own : await left()
  if (!draft || changed) return
  if (same(draft)) {
    localStorage.removeItem(draft.key)
  } else if (current(draft)) {
    localStorage.removeItem(draft.key)
    restore(draft)
    say(texts.restored, true)
    plan(0)
  } else {
    offer(draft)
  }
}

form.addEventListener('click', (event) => {
  const button = event.target.closest('[data-add], [data-move], [data-remove]')
  if (!button) return
  event.preventDefault()
  rearrange(button)
})

if (autosaved) {
  form.addEventListener('input', touched)
  form.addEventListener('submit', (event) => {
    if (event.submitter === compare || !compare.hidden) return // in a conflict, the site responds with the comparison
    event.preventDefault()
    stopped = false
    changed = true
    publishing = true
    keep()
    plan(0)
  })
  window.addEventListener('online', () => plan(0))
  begin()
  preview()
} else {
  forget()
}
