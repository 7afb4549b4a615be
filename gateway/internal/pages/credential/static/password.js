// Shows or hides the content of a password field with a toggle button. Without this script the button
// stays hidden.
for (const button of document.querySelectorAll('button[data-shows]')) {
  const field = document.getElementById(button.dataset.shows)
  const show = (shown) => {
    field.type = shown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(shown))
  }
  button.addEventListener('click', () => show(field.type === 'password'))
  // Hide the password before submitting, because browsers remember the content of text fields.
  field.form.addEventListener('submit', () => show(false))
  button.hidden = false
}
