import { vi } from 'vitest'

interface ReceivedRequest {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

type Responder = (request: ReceivedRequest) => unknown
/** Responses by method and path, such as `GET /v2/regions`. */
export type Responses = Readonly<Record<string, Responder>>

interface ErrorDetails {
  /** Messages by field. */
  issues?: Readonly<Record<string, string>>
  /** Stored state, for a conflict. */
  current?: unknown
  /** Seconds after which a busy server may be called again. */
  retryAfter?: number
}

export class ErrorResponse {
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly issues: Readonly<Record<string, string>>
  readonly current: unknown
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    detail: string,
    code = 'refused',
    { issues = {}, current, retryAfter }: ErrorDetails = {},
  ) {
    this.status = status
    this.detail = detail
    this.code = code
    this.issues = issues
    this.current = current
    this.retryAfter = retryAfter
  }
}

/** For tests: replaces fetch with a table of responses and records the requests. */
export function fakeServer(responses: Responses): { requests: ReceivedRequest[] } {
  const requests: ReceivedRequest[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body
    const received: ReceivedRequest = { method, path: url.pathname, query: url.searchParams, body }
    requests.push(received)
    const respond = responses[`${method} ${url.pathname}`]
    const result = respond
      ? await respond(received)
      : new ErrorResponse(404, `No response to ${method} ${url.pathname}`)
    return result instanceof ErrorResponse
      ? jsonResponse(toProblem(result), result.status)
      : jsonResponse(result, 200)
  })
  return { requests }
}

const jsonResponse = (body: unknown, status: number): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-api-version': '48.68.0' },
  })

/** The body of an error response, as the server sends it. */
function toProblem({ status, detail, code, issues: messages, current, retryAfter }: ErrorResponse) {
  const issues = Object.entries(messages).map(([path, message]) => ({ path, message }))
  return {
    success: false,
    code,
    status,
    title: 'x',
    detail,
    id: 'quote-me',
    current,
    retry_after: retryAfter,
    ...(issues.length > 0 ? { issues } : {}),
  }
}
