import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sendWithProgress } from './send-with-progress.ts'

class FakeRequest {
  static last: FakeRequest
  upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number; total: number }) => void } = {}
  status = 201
  statusText = 'Created'
  responseText = '{"a":1}'
  headers: Record<string, string> = {}
  sent: unknown
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  constructor() {
    FakeRequest.last = this
  }
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  getResponseHeader() {
    return '48.68.0'
  }
  send(payload: unknown) {
    this.sent = payload
  }
  abort() {
    this.onabort?.()
  }
}

const request = {
  method: 'POST',
  url: '/v2/x',
  headers: { 'content-type': 'application/octet-stream' },
  payload: 'bytes',
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest))
afterEach(() => vi.unstubAllGlobals())

it('reports progress, then resolves', async () => {
  const onProgress = vi.fn<(share: number) => void>()
  const response = sendWithProgress({ ...request, onProgress })
  FakeRequest.last.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 })
  FakeRequest.last.onload?.()
  const raw = await response
  expect(onProgress).toHaveBeenCalledWith(0.25)
  expect(FakeRequest.last).toMatchObject({ sent: 'bytes', headers: request.headers })
  expect([raw.status, raw.version, await raw.text()]).toEqual([201, '48.68.0', '{"a":1}'])
})

it('can be aborted', async () => {
  const abortController = new AbortController()
  const response = sendWithProgress({ ...request, signal: abortController.signal })
  abortController.abort()
  await expect(response).rejects.toMatchObject({ name: 'AbortError' })
})

it('rejects without a response', async () => {
  const response = sendWithProgress(request)
  FakeRequest.last.onerror?.()
  await expect(response).rejects.toBeInstanceOf(TypeError)
})
