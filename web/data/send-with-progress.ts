/** Response of both fetch and XMLHttpRequest. */
export interface RawResponse {
  status: number
  statusText: string
  version: string | null
  bytes: () => Promise<Uint8Array>
  text: () => Promise<string>
}

interface UploadRequest {
  method: string
  url: string
  headers: Record<string, string>
  payload: Blob | string
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

/** Sends a request with XMLHttpRequest, because fetch cannot report upload progress. */
export function sendWithProgress({
  method,
  url,
  headers,
  payload,
  signal,
  onProgress,
}: UploadRequest): Promise<RawResponse> {
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
    request.onerror = () => reject(new TypeError('No response'))
    const rejectAborted = () => reject(new DOMException('Aborted', 'AbortError'))
    request.onabort = rejectAborted
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) rejectAborted()
    else request.send(payload)
  })
}
