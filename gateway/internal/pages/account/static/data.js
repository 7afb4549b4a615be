// Shows the progress of an export without reloading the page. Where scripts do not run, the page
// reloads itself.
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
        // Change only the numbers, so that screen readers do not read the section again.
        before.max = now.max
        before.value = now.value
      } else {
        state.replaceChildren(...part.body.childNodes)
      }
    }
  } catch {
    // There is no connection. The next request may succeed.
  }
  if (state.querySelector('progress')) setTimeout(look, 2000)
}

setTimeout(look, 2000)
