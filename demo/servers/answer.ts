/** A request to a demo operator's server. */
export interface DemoAsk {
  method: string
  /** Without the query, and without a slash at its end. */
  path: string
  query: URLSearchParams
  /** Names in small letters. */
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** Where the server is reached, for links. */
  origin: string
}

export interface DemoAnswer {
  status: number
  /** JSON; undefined for nothing. */
  body?: unknown
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** What a server does with a request at a moment (ms). */
export type DemoServer = (ask: DemoAsk, at: number) => DemoAnswer
