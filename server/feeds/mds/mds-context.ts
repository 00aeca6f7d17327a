import type { AdapterFeed } from '../adapters/adapter.ts'

/** The supported versions of MDS. */
export const mdsVersions = ['2.0', '1.2'] as const
export type MdsVersion = (typeof mdsVersions)[number]

/** The modes of MDS 2.0. */
export const mdsModes = ['micromobility', 'passenger-services', 'car-share', 'delivery-robots'] as const
export type MdsMode = (typeof mdsModes)[number]

/** What is known about the records of a body from its feed. */
export interface MdsContext {
  operator: string
  /** Records of other providers are rejected; '' accepts any. */
  providerId: string
  /** Milliseconds since 1970. */
  received: number
  /** Micromobility by default. */
  mode?: MdsMode
}

/** Creates the context for bodies of a feed. The mode is a setting of the feed. */
export function createFeedContext(feed: AdapterFeed, received: number): MdsContext {
  const mode = mdsModes.find((mdsMode) => mdsMode === feed.settings['mode'])
  return { operator: feed.operator, providerId: feed.providerId, received, ...(mode ? { mode } : {}) }
}
