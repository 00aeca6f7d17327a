import { type Finding, type FindingKind, maxRawLength } from '#server/fleet/events/feed-records.ts'
import { toJson } from './json-text.ts'

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
