import type { Push } from './agency.ts'

/** A request as a route gets it. `json` is there for routes of JSON, `text` for those of CSV. */
export interface AgencyAsk extends Push {
  /** The id in the path, in small letters; '' where the path has none. */
  id: string
  text: string
}

/** Without a body: nothing is sent. */
export interface AgencyAnswer {
  status: number
  body?: unknown
}

/** One call of the Agency API in one version. `:id` in a path is a UUID. */
export interface AgencyRoute {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** What a push brings. */
  stream?: string
  /** JSON unless it is CSV. */
  isCsv?: boolean
  answer: (ask: AgencyAsk) => Promise<AgencyAnswer>
}
