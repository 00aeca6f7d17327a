import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import { isItem } from './fields.ts'
import { createFinding } from './create-finding.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { type ItemKind, readItemInto } from './read-mds-item.ts'

/** The streams of a JSON feed. */
export type MdsStream = 'vehicles' | 'status' | 'events' | 'recent' | 'trips' | 'telemetry' | 'stops'

/** The kind of the records of each stream, and the possible names of its list. */
const lists: Record<MdsVersion, Partial<Record<MdsStream, readonly [ItemKind, ...string[]]>>> = {
  '2.0': {
    vehicles: ['vehicle', 'vehicles'],
    status: ['status', 'vehicles_status'],
    events: ['event', 'events'],
    recent: ['event', 'events'],
    trips: ['trip', 'trips'],
    telemetry: ['telemetry', 'telemetry'],
    stops: ['stop', 'stops'],
  },
  '1.2': {
    vehicles: ['status', 'vehicles'],
    events: ['event', 'status_changes', 'events'],
    recent: ['event', 'status_changes', 'events'],
    trips: ['trip', 'trips'],
    stops: ['stop', 'stops'],
  },
}

/** A list of records in a body, with its name. */
interface RecordList {
  kind: ItemKind
  name: string
  items: readonly unknown[]
}

/** Finds the list of records in a body; null if the body has no such list. MDS 1.2 wraps it in `data`. */
export function findRecordList(version: MdsVersion, stream: MdsStream, body: unknown): RecordList | null {
  const [kind, ...names] = lists[version][stream] ?? []
  const container = isItem(body) && version === '1.2' ? body['data'] : body
  if (!kind || !isItem(container)) return null
  for (const name of names) {
    const items = container[name]
    if (Array.isArray(items)) return { kind, name, items }
  }
  return null
}

/** Removes duplicate vehicles, of which the last remains: in 1.2 every record describes its vehicle. */
function removeDuplicateVehicles(records: FeedRecords): void {
  records.vehicles = [...new Map(records.vehicles.map((vehicle) => [vehicle.deviceId, vehicle])).values()]
}

/** Reads a list of records. Invalid records become findings. Never throws. */
export function readRecords(
  version: MdsVersion,
  { kind, name, items }: RecordList,
  context: MdsContext,
): FeedRecords {
  const records = noRecords()
  items.forEach((item, index) =>
    readItemInto(records, item, { version, kind, context, path: `${name}[${index}]` }),
  )
  if (version === '1.2') removeDuplicateVehicles(records)
  return records
}

/** Reads the parsed body of an MDS feed. Invalid records become findings. Never throws. */
export function readMds(
  version: MdsVersion,
  stream: MdsStream,
  body: unknown,
  context: MdsContext,
): FeedRecords {
  const list = findRecordList(version, stream, body)
  if (list) return readRecords(version, list, context)
  const [, name = stream] = lists[version][stream] ?? []
  const field = version === '1.2' ? `data.${name}` : name
  const finding = createFinding({
    kind: 'schema',
    recordId: '',
    field,
    reason: `The body contains no list of ${name}.`,
    item: body,
  })
  return { ...noRecords(), findings: [finding] }
}
