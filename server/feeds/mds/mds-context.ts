import type { AdapterFeed } from '../adapters/adapter.ts'

/** Versions of MDS that are read. */
export const mdsVersions = ['2.0', '1.2'] as const
export type MdsVersion = (typeof mdsVersions)[number]

/** Modes of MDS 2.0. */
export const mdsModes = ['micromobility', 'passenger-services', 'car-share', 'delivery-robots'] as const
export type MdsMode = (typeof mdsModes)[number]

/** The feed of a body. */
export interface MdsContext {
  operator: string
  /** Records of another provider are refused; '' for any. */
  providerId: string
  /** Ms since 1970. */
  received: number
  /** Micromobility by default. */
  mode?: MdsMode
}

/** The context for bodies of a feed; its setting `mode` names a mode of MDS. */
export function feedContext(feed: AdapterFeed, received: number): MdsContext {
  const mode = mdsModes.find((each) => each === feed.settings['mode'])
  return { operator: feed.operator, providerId: feed.providerId, received, ...(mode ? { mode } : {}) }
}
