// Shows how far an export is, without loading the page anew. Where scripts do not run, the page
// loads itself anew.
const state = document.getElementById('export-state')

const look = async () => {
  try {
    const answer = await fetch('/account/data/progress', { cache: 'no-store' })
    if (answer.redirected) {
      location.reload() // the session has ended
      return
    }
    if (answer.ok) {
      const part = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const before = state.querySelector('progress')
      const now = part.querySelector('progress')
      if (now && before) {
        // Only the numbers change, so that nothing is read aloud again.
        before.max = now.max
        before.value = now.value
      } else {
        state.replaceChildren(...part.body.childNodes)
      }
    }
  } catch {
    // No connection: the next look may have one.
  }
  if (state.querySelector('progress')) setTimeout(look, 2000)
}

setTimeout(look, 2000)
