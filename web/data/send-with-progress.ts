import type { RawAnswer } from './raw-answer.ts'

interface Sending {
  method: string
  url: string
  headers: Record<string, string>
  payload: Blob | string
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

/** fetch cannot tell how much of a body was sent; XMLHttpRequest can. */
export function sendWithProgress({
  method,
  url,
  headers,
  payload,
  signal,
  onProgress,
}: Sending): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onload = () =>
      resolve({
        status: request.status,
        statusText: request.statusText,
        version: request.getResponseHeader('x-api-version'),
        bytes: async () => new TextEncoder().encode(request.responseText),
        text: async () => request.responseText,
      })
    request.onerror = () => reject(new TypeError('No answer'))
    const stop = () => reject(new DOMException('Aborted', 'AbortError'))
    request.onabort = stop
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) stop()
    else request.send(payload)
  })
}
