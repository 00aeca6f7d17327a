import type { AdapterFeed } from '../adapters/adapter.ts'

/** A feed as a sink sees it. */
export interface SinkFeed extends AdapterFeed {
  organizationId: string
}
