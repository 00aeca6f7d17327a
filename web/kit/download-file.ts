/** Downloads generated content as a file. */
export function downloadFile(name: string, text: string | Blob, media: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${media};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the download has started in every browser.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
