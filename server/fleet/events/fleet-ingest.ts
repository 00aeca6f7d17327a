import type { FeedRecords } from './feed-records.ts'

/** The records of one response or push of a feed. */
export interface FeedBatch {
  organizationId: string
  regionId: string
  operator: string
  feedId: string
  /** The requested stream: `events`, `trips`, … */
  stream: string
  /** The requested hour, ms; the time of receipt for continuous streams. */
  windowStart: number
  /** When it was received, ms. */
  received: number
  records: FeedRecords
}

/** The number of records of a batch by outcome. */
export interface BatchResult {
  accepted: number
  setAside: number
  /** Received before without a difference. */
  repeated: number
}

/** Stores records of feeds. They are durable when `store` resolves, and derived and live shortly after. */
export interface FleetIngest {
  store(batch: FeedBatch): Promise<BatchResult>
  /** Returns which of an operator's vehicles are registered. */
  findRegistered(
    organizationId: string,
    regionId: string,
    operator: string,
    deviceIds: readonly string[],
  ): Promise<ReadonlySet<string>>
  /** Resolves when all records that are stored so far are derived. */
  whenDerived(): Promise<void>
  /** Stops derivations after the current portion. */
  close(): Promise<void>
}

/** Called with every batch after it is stored, to update the live map. */
export type OnBatchStored = (batch: FeedBatch) => void
