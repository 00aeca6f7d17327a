import type { Finding, FindingKind } from '#server/fleet/events/feed-records.ts'
import { toJson } from './json-text.ts'

/** The maximum number of characters of a record that a finding contains. */
const maxRawLength = 2_000

/** Creates a finding about a record; `item` is the record as received. */
export const createFinding = ({
  kind,
  recordId,
  field,
  reason,
  item,
}: {
  kind: FindingKind
  recordId: string
  field: string
  reason: string
  item: unknown
}): Finding => ({
  kind,
  recordId,
  field,
  reason,
  raw: (item === null ? '' : (toJson(item) ?? '')).slice(0, maxRawLength),
})
