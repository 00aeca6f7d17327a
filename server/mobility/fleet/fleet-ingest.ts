import type { FeedRecords } from './feed-records.ts'

/** A part of a feed as it is handed over to be stored. */
export interface FeedBatch {
  organizationId: string
  regionId: string
  operator: string
  feedId: string
  /** `events`, `trips`, …: what was asked for. */
  stream: string
  /** The hour that was asked for, ms; the time of receipt where none was. */
  pullWindow: number
  /** When it was received, ms. */
  received: number
  records: FeedRecords
}

/** What became of a batch, by record. */
export interface BatchResult {
  accepted: number
  setAside: number
  /** Received before, the same. */
  repeated: number
}

/** Keeps what feeds bring: stored durably when `take` answers, derived and shown live right after. */
export interface FleetIngest {
  take(batch: FeedBatch): Promise<BatchResult>
  /** Which of some vehicles of an operator are registered. */
  findRegistered(
    organizationId: string,
    regionId: string,
    operator: string,
    deviceIds: readonly string[],
  ): Promise<ReadonlySet<string>>
  /** Once everything taken so far is derived. */
  whenDerived(): Promise<void>
  /** Stops deriving after what is under way. */
  close(): Promise<void>
}

/** Told of every batch once it is stored: the live fleet. */
export type OnBatchStored = (batch: FeedBatch) => void
