import { createHash } from 'node:crypto'
import type { SourceKind } from '#contract/cds-events.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { toNumber, toText } from '../imports/checks/values.ts'
import { type CountColumn, recognizeColumns } from '../occupancy/imports/file-columns.ts'
import { stateOf } from '../occupancy/imports/interval-layout.ts'
import { instantsOf, orderOf, readFileTime } from '../occupancy/imports/local-time.ts'
import type { CurbEvent } from './curb-event.ts'

export type SensorRow = Readonly<Record<string, unknown>>

interface StateContext {
  feedId: string
  timezone: string
  /** Times without a zone are UTC. */
  isUtc: boolean
  /** When the states were read, ms. */
  received: number
  sourceKind: SourceKind
}

/** Rows from which the columns are read. */
const headerRows = 100
/** A clock may be ahead by so much. */
const maxAheadMs = 60_000
const hourMs = 3_600_000
const maxText = 200

/**
 * Events from the present states of sensors, one space each: a vehicle came or left when the state began, and the sensor works in
 * the hour in which it was read. States that are read again make the same events. Null: the rows are no states.
 */
export function readSensorStates(
  rows: readonly SensorRow[],
  { feedId, timezone, isUtc, received, sourceKind }: StateContext,
): { events: CurbEvent[]; faults: { at: number; place: string; reason: string }[] } | null {
  const header = [...new Set(rows.slice(0, headerRows).flatMap((row) => Object.keys(row)))]
  const found = recognizeColumns(header)
  if (found?.layout !== 'states') return null
  const valueOf = (row: SensorRow, column: CountColumn): string => {
    const name = found.columns[column]
    return name === undefined ? '' : (toText(row[name], maxText) ?? '')
  }
  const order = orderOf(rows.slice(0, headerRows).map((row) => valueOf(row, 'time')))
  const isUtcColumn = isUtc || /utc$/i.test(found.columns.time ?? '')
  const clock = civilClock(timezone)
  const events: CurbEvent[] = []
  const faults: { at: number; place: string; reason: string }[] = []
  for (const [index, row] of rows.entries()) {
    const place = valueOf(row, 'place')
    const fault = (reason: string): void => void faults.push({ at: index, place: place || String(index), reason })
    const time = readFileTime(valueOf(row, 'time'), order, isUtcColumn)
    const instants = time ? instantsOf(time, clock) : []
    const since = instants.findLast((ms) => ms <= received + maxAheadMs)
    const state = stateOf(valueOf(row, 'state'))
    if (!place) fault('The row names no space.')
    else if (since === undefined)
      fault(instants.length ? 'The time lies ahead.' : 'The row has no readable time.')
    else if (state === null) fault('The state is neither occupied nor vacant nor unknown.')
    else {
      const event = (type: CurbEvent['type'], ms: number): CurbEvent => ({
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
        lon: toNumber(valueOf(row, 'lon')) ?? Number.NaN,
        lat: toNumber(valueOf(row, 'lat')) ?? Number.NaN,
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
      events.push(event(state < 0 ? 'comms_lost' : state > 0 ? 'park_start' : 'park_end', since))
      const hour = Math.floor(received / hourMs) * hourMs
      if (state >= 0 && hour > since) events.push({ ...event('scheduled_report', hour), isOnline: true })
    }
  }
  return { events, faults }
}
