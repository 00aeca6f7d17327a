import type { Push } from './agency.ts'

/** A request of a route. JSON routes use `json`, CSV routes `text`. */
export interface AgencyRequest extends Push {
  /** The id in the path, in lower case; '' if the path has none. */
  id: string
  text: string
}

/** A response, which is empty without `body`. */
export interface AgencyResponse {
  status: number
  body?: unknown
}

/** An endpoint of one version of the Agency API. `:id` in a path is a UUID. */
export interface AgencyRoute {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** The stream of a push; undefined for endpoints that read. */
  stream?: string
  /** Whether the body is CSV instead of JSON. */
  isCsv?: boolean
  handle: (request: AgencyRequest) => Promise<AgencyResponse>
}
