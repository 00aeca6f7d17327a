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

const sending = {
  method: 'POST',
  url: '/v2/x',
  headers: { 'content-type': 'application/octet-stream' },
  payload: 'bytes',
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest))
afterEach(() => vi.unstubAllGlobals())

it('tells how much was sent, then answers', async () => {
  const onProgress = vi.fn<(share: number) => void>()
  const answer = sendWithProgress({ ...sending, onProgress })
  FakeRequest.last.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 })
  FakeRequest.last.onload?.()
  const raw = await answer
  expect(onProgress).toHaveBeenCalledWith(0.25)
  expect(FakeRequest.last).toMatchObject({ sent: 'bytes', headers: sending.headers })
  expect([raw.status, raw.version, await raw.text()]).toEqual([201, '48.68.0', '{"a":1}'])
})

it('stops when it is told to', async () => {
  const stop = new AbortController()
  const answer = sendWithProgress({ ...sending, signal: stop.signal })
  stop.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})

it('fails when no answer comes', async () => {
  const answer = sendWithProgress(sending)
  FakeRequest.last.onerror?.()
  await expect(answer).rejects.toBeInstanceOf(TypeError)
})
