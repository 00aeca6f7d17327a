import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import { escapeField, encodeLines, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { maxRawLength } from './feed-records.ts'
import type { FeedBatch, BatchResult } from './fleet-ingest.ts'

const findingColumns = [
  'region_id',
  'operator',
  'feed_id',
  'stream',
  'batch_id',
  'received_time',
  'kind',
  'record_id',
  'field',
  'reason',
  'raw',
] as const
const batchColumns = [
  'region_id',
  'operator',
  'feed_id',
  'stream',
  'batch_id',
  'received_time',
  'piece',
  'accepted',
  'set_aside',
  'repeated',
  'first_time',
  'last_time',
] as const

/** Finds the first and last time of a batch's records, ms; null if none has a time. */
function findBatchSpan({ records }: FeedBatch): [number, number] | null {
  let first = Infinity
  let last = -Infinity
  const extendTo = (time: number): void => {
    if (time < first) first = time
    if (time > last) last = time
  }
  for (const { time } of records.events) extendTo(time)
  for (const { time } of records.telemetry) extendTo(time)
  for (const { endTime } of records.trips) extendTo(endTime)
  return first <= last ? [first, last] : null
}

/** Stores the findings and the counts of a batch for data health. */
export async function logBatch(
  facts: Facts,
  scope: Scope,
  batch: FeedBatch,
  result: BatchResult,
): Promise<void> {
  const { regionId, operator, feedId, stream, received, windowStart, records } = batch
  const origin = `${regionId}\t${operator}\t${feedId}\t${stream}\t${randomUUID()}\t${formatTimeField(received)}`
  const [first, last] = findBatchSpan(batch) ?? [received, received]
  await Promise.all([
    records.findings.length &&
      facts.insert(scope, 'feed_findings', {
        columns: findingColumns,
        regionId,
        lines: encodeLines(
          records.findings,
          ({ kind, recordId, field, reason, raw }) =>
            `${origin}\t${kind}\t${escapeField(recordId)}\t${escapeField(field)}\t` +
            `${escapeField(reason)}\t${escapeField(raw.slice(0, maxRawLength))}\n`,
        ),
      }),
    facts.insert(scope, 'feed_batches', {
      columns: batchColumns,
      regionId,
      lines: Buffer.from(
        `${origin}\t${formatTimeField(windowStart)}\t${result.accepted}\t${result.setAside}\t` +
          `${result.repeated}\t${formatTimeField(first)}\t${formatTimeField(last)}\n`,
      ),
    }),
  ])
}
