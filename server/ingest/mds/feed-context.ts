import type { FeedAsked } from '../adapters/adapter.ts'
import { type MdsContext, mdsModes } from './mds-context.ts'

/** As whose records a feed's bodies are read; its setting `mode` names a mode of MDS. */
export function feedContext(feed: FeedAsked, received: number): MdsContext {
  const mode = mdsModes.find((each) => each === feed.settings['mode'])
  return { operator: feed.operator, providerId: feed.providerId, received, ...(mode ? { mode } : {}) }
}
