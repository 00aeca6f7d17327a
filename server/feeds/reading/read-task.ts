import type { FeedAsked, Read } from '#server/ingest/adapters/adapter.ts'

/** A body to be read on the reading thread, by the adapter of a kind and its feed's version. */
export interface ReadTask {
  kind: string
  asked: FeedAsked
  stream: string
  body: Uint8Array
  /** Ms since 1970. */
  received: number
}

/** What the reading thread tells: one part after the other, each once the one before is taken; or why there is none. */
export type ReadMessage = { part: Read; isLast: boolean } | { unreadable: string } | { parseError: string }
