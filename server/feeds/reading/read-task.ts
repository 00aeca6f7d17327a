import type { AdapterFeed, Read } from '../adapters/adapter.ts'

/** A body to be parsed on the reading thread, by the adapter of a kind and the feed's version. */
export interface ReadTask {
  kind: string
  feed: AdapterFeed
  stream: string
  body: Uint8Array
  /** Ms since 1970. */
  received: number
}

/** A message of the reading thread: one part after the other, each on request; or why there is none. */
export type ReadMessage = { part: Read; isLast: boolean } | { unreadable: string } | { parseError: string }
