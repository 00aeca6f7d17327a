import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { downloadFile } from './download-file.ts'

const blobs: Blob[] = []
const revoked: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  blobs.length = revoked.length = 0
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
      revokeObjectURL: (address: string) => void revoked.push(address),
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('downloads a file with name, type and text', async () => {
  const clicked: { href: string; name: string }[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push({ href: this.href, name: this.download })
  })
  downloadFile('layers.csv', 'Name\r\nÉcole\r\n', 'text/csv')
  expect(clicked).toEqual([{ href: 'blob:1', name: 'layers.csv' }])
  expect(blobs[0]!.type).toBe('text/csv;charset=utf-8')
  expect(blobs[0]!.size).toBe(new TextEncoder().encode('Name\r\nÉcole\r\n').length)
})

it('revokes the URL, but not before the download has started', () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  downloadFile('a.csv', 'a', 'text/csv')
  vi.advanceTimersByTime(5000)
  expect(revoked).toEqual([])
  vi.advanceTimersByTime(5001)
  expect(revoked).toEqual(['blob:1'])
})
