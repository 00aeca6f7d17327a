import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import type { FieldError } from '../mds/field-error.ts'
import { describeErrors } from '../mds/field-error.ts'
import { createFinding } from '../mds/create-finding.ts'
import { toJson } from '../mds/json-text.ts'
import { type ReadItemOptions, readMdsItem } from '../mds/read-mds-item.ts'
import type { ErrorBody } from './agency-error.ts'

/** An item of a push and its result: the records to store, or the failure for the response. */
export interface PushedItem {
  /** As received. */
  item: unknown
  records: FeedRecords
  failure: ErrorBody | null
}

/**
 * Converts the errors of an item to an MDS error. Missing parameters have precedence, because without them
 * nothing else is checked.
 */
export function toFailure(errors: readonly FieldError[]): ErrorBody {
  const missing = errors.filter(({ isMissing }) => isMissing)
  if (missing.length)
    return {
      error: 'missing_param',
      error_description: `A required parameter is missing: ${missing.map(({ field }) => field).join(', ')}.`,
      error_details: missing.map(({ field }) => field),
    }
  return {
    error: 'bad_param',
    error_description: `A validation error occurred: ${describeErrors(errors)}`,
    error_details: errors.map(({ field }) => field || 'item'),
  }
}

/** Reads one item. An invalid one has a failure, and a finding as its only record. */
export function readPushedItem(item: unknown, options: ReadItemOptions): PushedItem {
  const { records, errors } = readMdsItem(item, options)
  return { item, records, failure: errors.length ? toFailure(errors) : null }
}

/** The errors of valid items that contradict what is registered. */
const rejections = {
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

/** Rejects a valid item: instead of its records only a finding is stored. */
export function reject(pushed: PushedItem, reason: keyof typeof rejections, id: string): void {
  const rejection = rejections[reason]
  pushed.failure = { ...rejection, error_details: [reason.startsWith('stop') ? 'stop_id' : 'device_id'] }
  pushed.records = {
    ...noRecords(),
    findings: [
      createFinding({
        kind: 'schema',
        recordId: id,
        field: pushed.failure.error_details[0] ?? '',
        reason: rejection.error_description,
        item: pushed.item,
      }),
    ],
  }
}

/** Creates the response to a bulk push: the number of stored items, and each item that failed. */
export function createBulkResponse(items: readonly PushedItem[]): {
  success: number
  total: number
  failures: object[]
} {
  const failures = items.flatMap(({ item, failure }) =>
    failure ? [{ item: toJson(item) === null ? null : item, ...failure }] : [],
  )
  return { success: items.length - failures.length, total: items.length, failures }
}

/** Returns `successStatus` if any item was stored; otherwise 409 if all items existed before, else 400. */
export function getBulkStatus(items: readonly PushedItem[], successStatus: 200 | 201): number {
  if (items.some(({ failure }) => !failure)) return successStatus
  return items.every(({ failure }) => failure?.error === 'already_registered') ? 409 : 400
}
