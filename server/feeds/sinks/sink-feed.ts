import type { AdapterFeed } from '../adapters/adapter.ts'

/** The properties of a feed that its sink needs. */
export interface SinkFeed extends AdapterFeed {
  organizationId: string
}
