import type { Push } from './agency.ts'

/** A request as a route receives it. JSON routes get `json`, CSV routes `text`. */
export interface AgencyRequest extends Push {
  /** The id in the path, in lower case; '' if the path has none. */
  id: string
  text: string
}

/** A response; without `body` the response is empty. */
export interface AgencyResponse {
  status: number
  body?: unknown
}

/** One endpoint of the Agency API in one version. `:id` in a path is a UUID. */
export interface AgencyRoute {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** The stream of a push. */
  stream?: string
  /** CSV instead of JSON. */
  isCsv?: boolean
  handle: (request: AgencyRequest) => Promise<AgencyResponse>
}
