// Scales down a large photo before it is uploaded. Without this script, the site does so.
const form = document.getElementById('photo-form')
const input = document.getElementById('photo')

// A smaller file is uploaded unchanged. The site stores pictures of at most 512 pixels.
const small = 512 * 1024
const side = 1024

const scaled = async (file) => {
  const picture = await createImageBitmap(file)
  const by = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * by))
  canvas.height = Math.max(1, Math.round(picture.height * by))
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#fff' // a JPEG has no transparent parts
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9))
}

form.addEventListener('submit', async (event) => {
  const file = input.files[0]
  if (!file || file.size <= small) return
  event.preventDefault()
  try {
    const files = new DataTransfer()
    files.items.add(new File([await scaled(file)], 'photo.jpg', { type: 'image/jpeg' }))
    input.files = files.files
  } catch {
    // The site reads the file, or explains why it can't.
  }
  form.submit()
})
