import { vi } from 'vitest'

/** For tests: records the files that links download, by name. jsdom does not support blob URLs. */
export function recordDownloads(): Map<string, Blob> {
  const blobs: Blob[] = []
  const files = new Map<string, Blob>()
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
      revokeObjectURL: () => undefined,
    }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs[Number(this.href.slice('blob:'.length)) - 1]
    if (blob) files.set(this.download, blob)
  })
  return files
}
