import type { FeedRecords } from './feed-records.ts'

/** A piece of a feed as it is handed over to be stored. */
export interface FeedBatch {
  organizationId: string
  regionId: string
  operator: string
  feedId: string
  /** `events`, `trips`, …: what was asked for. */
  stream: string
  /** The hour that was asked for, ms; the time of receipt where none was. */
  piece: number
  /** When it was received, ms. */
  received: number
  records: FeedRecords
}

/** What became of a batch, by record. */
export interface Kept {
  accepted: number
  setAside: number
  /** Received before, the same. */
  repeated: number
}

/** Keeps what feeds bring: stored durably when `take` answers, derived and shown live right after. */
export interface FleetKeeper {
  take(batch: FeedBatch): Promise<Kept>
  /** Which of some vehicles of an operator are registered. */
  registered(
    organizationId: string,
    regionId: string,
    operator: string,
    deviceIds: readonly string[],
  ): Promise<ReadonlySet<string>>
  /** Once everything taken so far is derived. */
  settled(): Promise<void>
  /** Stops deriving after what is under way. */
  close(): Promise<void>
}

/** Told of every batch once it is stored: the live fleet. */
export type OnTaken = (batch: FeedBatch) => void
