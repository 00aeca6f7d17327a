/** A request to a demo operator's server. */
export interface DemoRequest {
  method: string
  /** Path without query and trailing slash. */
  path: string
  query: URLSearchParams
  /** Names in lowercase. */
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** Origin of the server, for links. */
  origin: string
}

export interface DemoResponse {
  status: number
  /** JSON; undefined for an empty body. */
  body?: unknown
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** Handles a request at a given time (ms). */
export type DemoServer = (request: DemoRequest, nowMs: number) => DemoResponse
