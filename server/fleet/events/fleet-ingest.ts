import type { FeedRecords } from './feed-records.ts'

/** A part of a feed as it is handed over to be stored. */
export interface FeedBatch {
  organizationId: string
  regionId: string
  operator: string
  feedId: string
  /** The requested stream: `events`, `trips`, … */
  stream: string
  /** The requested hour, ms; the time of receipt for continuous streams. */
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

/** Stores records of feeds: durable when `store` resolves, derived and shown live right after. */
export interface FleetIngest {
  store(batch: FeedBatch): Promise<BatchResult>
  /** Which of some vehicles of an operator are registered. */
  findRegistered(
    organizationId: string,
    regionId: string,
    operator: string,
    deviceIds: readonly string[],
  ): Promise<ReadonlySet<string>>
  /** Once everything taken so far is derived. */
  whenDerived(): Promise<void>
  /** Stops deriving after the current run. */
  close(): Promise<void>
}

/** Called with every batch once it is stored: the live fleet. */
export type OnBatchStored = (batch: FeedBatch) => void
