import type { FeedAsked } from '../adapters/adapter.ts'

/** A feed whose finds are kept. */
export interface SunkFeed extends FeedAsked {
  organizationId: string
}
