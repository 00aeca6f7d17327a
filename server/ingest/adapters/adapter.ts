import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'

/** What one stream of a feed is, and how it is asked for. */
export interface Stream {
  name: string
  /** `hour`: hour by hour, each for good. `now`: as it stands. `window`: from the last success on. `day`: as `hour`, by local day. `month`: by month. */
  by: 'hour' | 'now' | 'window' | 'day' | 'month'
  /** Seconds between two asks of `now` and `window`; the feed's own interval if absent. */
  every?: number
}

/** A feed as its adapter sees it: no secrets, those are put on by the puller. */
export interface FeedAsked {
  feedId: string
  regionId: string
  /** Slug; '' for feeds that are of no operator. */
  operator: string
  /** MDS provider_id; '' where not told. */
  providerId: string
  version: string
  url: string
  settings: Readonly<Record<string, unknown>>
  timezone: string
  lat: number
  lon: number
}

/** What of a stream: the hour, day or month from `from` to before `until`, or the window. Ms since 1970. */
export interface Piece {
  from: number
  until: number
}

/** One request. Answers of further pages follow from the answer before. */
export interface Request {
  url: string
  headers: Readonly<Record<string, string>>
}

/** What an answer of the feed's server means (MDS Provider: 202 and 404 of an hour are no failures). */
export type Standing = 'ready' | 'not_yet' | 'nothing' | 'failed'

/** One kind of feed. Pure: it neither fetches nor stores, so that what was kept raw can be read again. */
export interface Adapter {
  kind: string
  versions: readonly string[]
  /** Its answers hold personal data, such as plates: they are not retained raw. */
  isPersonal?: boolean
  streams(feed: FeedAsked): readonly Stream[]
  request(feed: FeedAsked, stream: string, piece: Piece): Request
  /** By status and piece; `now` in ms. Anything not said here is `ready` for 200 and `failed` else. */
  standing?(status: number, stream: string, piece: Piece, now: number): Standing | undefined
  /** Reads one body. Throws UnreadableBody when it is none of its kind at all. `next`: where its next page is. */
  read(feed: FeedAsked, stream: string, body: Uint8Array, received: number): Read
}

export interface Read {
  records: FeedRecords
  next: string | null
  /** What adapters of other kinds than fleets bring, for the room that keeps it. */
  other?: unknown
}

/** A body that is none of its kind: HTML, garbage, cut off. Its message is for people. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody'
}
