import type { FeedRecords } from '#server/fleet/events/feed-records.ts'

/** A stream of a feed and how it is requested. */
export interface Stream {
  name: string
  /** `hour`: each UTC hour once. `now`: the current state. `window`: from the last success on. `day`, `month`: each local day or month once. */
  by: 'hour' | 'now' | 'window' | 'day' | 'month'
  /** Seconds between two requests of `now` and `window`; by default the feed's own interval. */
  every?: number
}

/** A feed as its adapter sees it, without secrets: the puller adds those. */
export interface AdapterFeed {
  feedId: string
  regionId: string
  /** Slug; '' for feeds without an operator. */
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

/** The requested time range: an hour, day, month or window, half open. Ms since 1970. */
export interface PullWindow {
  from: number
  until: number
}

/** One request. Requests of further pages follow from the previous response. */
export interface Request {
  url: string
  headers: Readonly<Record<string, string>>
}

/** The meaning of a response's status (in MDS Provider, 202 and 404 of an hour are not failures). */
export type Readiness = 'ready' | 'not_yet' | 'nothing' | 'failed'

/** One kind of feed. Pure: it neither fetches nor stores, so that retained responses can be read again. */
export interface Adapter {
  kind: string
  versions: readonly string[]
  /** Whether responses hold personal data, such as plates: they are not retained. */
  isPersonal?: boolean
  streams(feed: AdapterFeed): readonly Stream[]
  request(feed: AdapterFeed, stream: string, pullWindow: PullWindow): Request
  /** By status and pull window; `now` in ms. By default 200 is `ready` and everything else `failed`. */
  readiness?(status: number, stream: string, pullWindow: PullWindow, now: number): Readiness | undefined
  /** Reads one body. Throws UnreadableBody if it is of another kind. `next`: the address of the next page. */
  read(feed: AdapterFeed, stream: string, body: Uint8Array, received: number): Read
}

export interface Read {
  records: FeedRecords
  next: string | null
  /** The content of feeds that are not fleets, for their sink. */
  other?: unknown
}

/** A body of another kind: HTML, garbage, cut off. The message is shown to users. */
export class UnreadableBody extends Error {
  override name = 'UnreadableBody'
}
