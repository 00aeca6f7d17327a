import i18next from 'i18next'
import { showToast } from './toasts.tsx'

/** Downloads generated content as a file, and confirms it. */
export function downloadFile(name: string, text: string | Blob, mediaType: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  showToast(i18next.t('kit:file.done', { file: name }))
  // By then the download has started in every browser.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
