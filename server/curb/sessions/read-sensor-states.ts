import { createHash } from 'node:crypto'
import type { SourceKind } from '#contract/cds-events.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import { toNumber, toText } from '../imports/checks/values.ts'
import { type CountColumn, recognizeColumns } from '../occupancy/imports/file-columns.ts'
import { readSpaceState } from '../occupancy/imports/interval-layout.ts'
import { getInstants, detectDayOrder, readFileTime } from '../occupancy/imports/local-time.ts'
import type { CurbEvent } from './curb-event.ts'

/** Why a row has no event. `row` is its index. */
interface StateProblem {
  row: number
  place: string
  reason: string
}

export type SensorRow = Readonly<Record<string, unknown>>

interface StateContext {
  feedId: string
  timezone: string
  /** Whether times without a time zone are UTC. */
  isUtc: boolean
  /** When the states were read, ms. */
  received: number
  sourceKind: SourceKind
}

/** Number of rows from which the columns are recognized. */
const headerRows = 100
/** The clock of a sensor may be ahead by this much. */
const maxAheadMs = 60_000
/** Characters of a field. */
const maxText = 200

/**
 * Converts the current states of sensors, one per space, to events: an arrival or departure when the state
 * began, and a report that the sensor was online in the hour of reading. The ids of events are deterministic,
 * so reading a state again changes nothing. Null if the rows are not sensor states.
 */
export function readSensorStates(
  rows: readonly SensorRow[],
  { feedId, timezone, isUtc, received, sourceKind }: StateContext,
): { events: CurbEvent[]; problems: StateProblem[] } | null {
  const header = [...new Set(rows.slice(0, headerRows).flatMap((row) => Object.keys(row)))]
  const fileColumns = recognizeColumns(header)
  if (fileColumns?.layout !== 'states') return null
  const readField = (row: SensorRow, column: CountColumn): string => {
    const name = fileColumns.columns[column]
    return name === undefined ? '' : (toText(row[name], maxText) ?? '')
  }
  const dayOrder = detectDayOrder(rows.slice(0, headerRows).map((row) => readField(row, 'time')))
  const isUtcColumn = isUtc || /utc$/i.test(fileColumns.columns.time ?? '')
  const clock = civilClock(timezone)
  const events: CurbEvent[] = []
  const problems: StateProblem[] = []
  for (const [index, row] of rows.entries()) {
    const place = readField(row, 'place')
    const time = readFileTime(readField(row, 'time'), dayOrder, isUtcColumn)
    const instants = time ? getInstants(time, clock) : []
    const since = instants.findLast((ms) => ms <= received + maxAheadMs)
    const state = readSpaceState(readField(row, 'state'))
    const addProblem = (reason: string): void =>
      void problems.push({ row: index, place: place || String(index), reason })
    if (!place) addProblem('The row names no space.')
    else if (since === undefined)
      addProblem(instants.length ? 'The time lies ahead.' : 'The row has no readable time.')
    else if (state === null) addProblem('The state is neither occupied nor vacant nor unknown.')
    else {
      const space: SensorSpace = {
        feedId,
        sourceKind,
        place,
        lon: toNumber(readField(row, 'lon')) ?? Number.NaN,
        lat: toNumber(readField(row, 'lat')) ?? Number.NaN,
      }
      events.push(makeSensorEvent(space, getEventType(state), since))
      const hour = Math.floor(received / hourMs) * hourMs
      if (state >= 0 && hour > since)
        events.push({ ...makeSensorEvent(space, 'scheduled_report', hour), isOnline: true })
    }
  }
  return { events, problems }
}

interface SensorSpace {
  feedId: string
  sourceKind: SourceKind
  place: string
  lon: number
  lat: number
}

/** Returns the type of the event that began a state of `readSpaceState`. */
function getEventType(state: number): CurbEvent['type'] {
  if (state < 0) return 'comms_lost'
  return state > 0 ? 'park_start' : 'park_end'
}

/** Returns an event of a sensor at a time (ms). */
const makeSensorEvent = (
  { feedId, sourceKind, place, lon, lat }: SensorSpace,
  type: CurbEvent['type'],
  ms: number,
): CurbEvent => ({
  eventId: createHash('sha256').update([feedId, place, type, ms].join('\n')).digest('base64url'),
  type,
  time: ms,
  publicationTime: ms,
  zoneId: '',
  areaIds: [],
  spaceId: place,
  objectId: '',
  sourceType: 'in_ground',
  sourceKind,
  deviceId: place,
  operatorName: '',
  sessionKey: '',
  vehicle: '',
  vehicleType: '',
  vehicleLength: null,
  propulsion: [],
  purpose: '',
  lon,
  lat,
  amount: null,
  channel: '',
  method: '',
  blockedLanes: [],
  violations: [],
  enforcementId: '',
  occupants: null,
  isOnline: null,
  isCommissioned: null,
})
