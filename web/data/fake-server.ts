import { vi } from 'vitest'

interface ReceivedRequest {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

type Reply = (request: ReceivedRequest) => unknown

/** An error response of the server. */
export class Refusal {
  readonly status: number
  readonly detail: string
  readonly code: string
  /** Messages by field. */
  readonly issues: Readonly<Record<string, string>>
  /** Stored state, for a conflict. */
  readonly current: unknown
  /** Seconds after which a busy server may be called again. */
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    detail: string,
    code = 'refused',
    issues: Readonly<Record<string, string>> = {},
    current: unknown = undefined,
    retryAfter?: number,
  ) {
    this.status = status
    this.detail = detail
    this.code = code
    this.issues = issues
    this.current = current
    this.retryAfter = retryAfter
  }
}

/**
 * For tests: replaces fetch with a table of replies, such as `GET /v2/regions`, and records the requests.
 */
export function fakeServer(replies: Readonly<Record<string, Reply>>): { requests: ReceivedRequest[] } {
  const requests: ReceivedRequest[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body
    const received: ReceivedRequest = { method, path: url.pathname, query: url.searchParams, body }
    requests.push(received)
    const reply = replies[`${method} ${url.pathname}`]
    const result = reply ? await reply(received) : new Refusal(404, `No reply to ${method} ${url.pathname}`)
    const headers = { 'content-type': 'application/json', 'x-api-version': '48.68.0' }
    if (result instanceof Refusal) {
      const issues = Object.entries(result.issues).map(([path, message]) => ({ path, message }))
      const problem = {
        success: false,
        code: result.code,
        status: result.status,
        title: 'x',
        detail: result.detail,
        id: 'quote-me',
        current: result.current,
        retry_after: result.retryAfter,
        ...(issues.length > 0 ? { issues } : {}),
      }
      return new Response(JSON.stringify(problem), { status: result.status, headers })
    }
    return new Response(JSON.stringify(result), { headers })
  })
  return { requests }
}
