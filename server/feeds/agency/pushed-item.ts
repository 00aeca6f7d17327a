import type { Fault } from '../mds/fault.ts'
import { faultsText } from '../mds/fault.ts'
import { findingOf } from '../mds/finding-of.ts'
import { jsonText } from '../mds/json-text.ts'
import type { MdsContext, MdsVersion } from '../mds/mds-context.ts'
import { type ItemKind, readMdsItem } from '../mds/read-mds-item.ts'
import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import type { ErrorBody } from './agency-error.ts'

/** One item of a push and its result. */
export interface PushedItem {
  item: unknown
  records: FeedRecords
  failure: ErrorBody | null
}

/** An item's faults as an MDS error: missing parameters first, since without them nothing else is checked. */
export function failureOf(faults: readonly Fault[]): ErrorBody {
  const missing = faults.filter(({ isMissing }) => isMissing)
  if (missing.length)
    return {
      error: 'missing_param',
      error_description: `A required parameter is missing: ${missing.map(({ field }) => field).join(', ')}.`,
      error_details: missing.map(({ field }) => field),
    }
  return {
    error: 'bad_param',
    error_description: `A validation error occurred: ${faultsText(faults)}`,
    error_details: faults.map(({ field }) => field || 'item'),
  }
}

export function readPushedItem(
  version: MdsVersion,
  kind: ItemKind,
  item: unknown,
  context: MdsContext,
  path = '',
): PushedItem {
  const { records, faults } = readMdsItem(version, kind, item, context, path)
  return { item, records, failure: faults.length ? failureOf(faults) : null }
}

const refusals = {
  vehicle_known: {
    error: 'already_registered',
    error_description: 'A vehicle with that device_id is already registered.',
  },
  vehicle_unknown: { error: 'unregistered', error_description: 'This device_id is not registered.' },
  stop_known: {
    error: 'already_registered',
    error_description: 'A stop with that stop_id is already registered.',
  },
  stop_unknown: { error: 'unregistered', error_description: 'This stop_id is not registered.' },
} as const

/** Refuses a valid item: only its receipt is counted. */
export function refuse(pushed: PushedItem, why: keyof typeof refusals, id: string): void {
  const refusal = refusals[why]
  pushed.failure = { ...refusal, error_details: [why.startsWith('stop') ? 'stop_id' : 'device_id'] }
  pushed.records = {
    ...noRecords(),
    findings: [
      findingOf('schema', id, pushed.failure.error_details[0] ?? '', refusal.error_description, pushed.item),
    ],
  }
}

/** The response to a bulk push: the number of written items, and each item that failed. */
export function bulkAnswer(items: readonly PushedItem[]): {
  success: number
  total: number
  failures: object[]
} {
  const failures = items.flatMap(({ item, failure }) =>
    failure ? [{ item: jsonText(item) === null ? null : item, ...failure }] : [],
  )
  return { success: items.length - failures.length, total: items.length, failures }
}

/** The status if nothing was written: 409 if everything existed already, else 400. */
export function bulkStatus(items: readonly PushedItem[], written: 200 | 201): number {
  if (items.some(({ failure }) => !failure)) return written
  return items.every(({ failure }) => failure?.error === 'already_registered') ? 409 : 400
}
