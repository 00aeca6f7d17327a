import type { FeedRecords } from '#server/fleet/events/feed-records.ts'

/** A stream of a feed and how it is requested. */
export interface Stream {
  name: string
  /**
   * What one pull covers. `hour`: a UTC hour. `day`, `month`: a local day or month. Each of these is pulled
   * once. Continuous streams are pulled again and again: `now` is the current state, `recent` the time since
   * the last success.
   */
  window: 'hour' | 'now' | 'recent' | 'day' | 'month'
  /** The seconds between two pulls of a continuous stream; by default the interval of the feed. */
  everySeconds?: number
}

/** The properties of a feed that its adapter needs. Secrets are added to requests later. */
export interface AdapterFeed {
  feedId: string
  regionId: string
  /** The operator's slug; '' for feeds without an operator. */
  operator: string
  /** MDS provider_id; '' if unknown. */
  providerId: string
  version: string
  url: string
  settings: Readonly<Record<string, unknown>>
  timezone: string
  lat: number
  lon: number
}

/**
 * The half-open time range of a pull, in ms since 1970. In the database and in `FeedBatch` only its start is
 * stored, as `window_start` and `windowStart`.
 */
export interface PullWindow {
  from: number
  until: number
}

/** A request of a page, without credentials. Requests of further pages follow from the previous response. */
export interface PageRequest {
  url: string
  headers: Readonly<Record<string, string>>
}

/** The meaning of a response status. For an hour of MDS Provider, for example, 202 is `not_yet`. */
export type Readiness = 'ready' | 'not_yet' | 'nothing' | 'failed'

/** Requests and reads one kind of feed. Pure: neither fetches nor stores, so responses can be read again. */
export interface Adapter {
  kind: string
  versions: readonly string[]
  /** Whether responses contain personal data, such as license plates, and therefore must not be retained. */
  isPersonal?: boolean
  streams(feed: AdapterFeed): readonly Stream[]
  request(feed: AdapterFeed, stream: string, pullWindow: PullWindow): PageRequest
  /** Undefined: 200 is `ready`, everything else `failed`. `now`: ms since 1970. */
  readiness?(status: number, stream: string, pullWindow: PullWindow, now: number): Readiness | undefined
  /** Reads the body of a response. `received`: ms since 1970. @throws UnreadableBody. */
  read(feed: AdapterFeed, stream: string, body: Uint8Array, received: number): ReadResult
}

/** The content of one response (a page of a stream). */
export interface ReadResult {
  records: FeedRecords
  /** The URL of the next page; null if this is the last one. */
  next: string | null
  /** The content of feeds that are not fleets, for their sink. */
  other?: unknown
}

/** The body is not what the stream should contain, such as HTML or damaged. Users see the message. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody'
}
