/** Hands a text that was made here to the user as a file. */
export function downloadFile(name: string, text: string | Blob, media: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${media};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then in every browser.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
