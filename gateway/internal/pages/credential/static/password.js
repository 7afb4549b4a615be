// Shows what is typed into a password field while its button is pressed. Without this script
// the button stays hidden.
for (const button of document.querySelectorAll('button[data-shows]')) {
  const field = document.getElementById(button.dataset.shows)
  const show = (shown) => {
    field.type = shown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(shown))
  }
  button.addEventListener('click', () => show(field.type === 'password'))
  // Browsers remember what was sent in a text field.
  field.form.addEventListener('submit', () => show(false))
  button.hidden = false
}
