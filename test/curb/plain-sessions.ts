// Reference implementation of curb sessions: replays the newest versions of all events from the beginning.
import { dayMs } from '#contract/period.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'

/** The start of parking that a sensor detected, with default values of all fields. */
export const sensorEvent: CurbEvent = {
  eventId: '',
  type: 'park_start',
  time: 0,
  publicationTime: 0,
  zoneId: 'zone-1',
  areaIds: [],
  spaceId: '',
  objectId: '',
  sourceType: 'in_ground',
  sourceKind: 'sensor',
  deviceId: 'device-1',
  operatorName: '',
  sessionKey: '',
  vehicle: '',
  vehicleType: 'car',
  vehicleLength: null,
  propulsion: [],
  purpose: '',
  lon: NaN,
  lat: NaN,
  amount: null,
  channel: '',
  method: '',
  blockedLanes: [],
  violations: [],
  enforcementId: '',
  occupants: null,
  isOnline: null,
  isCommissioned: null,
}

export interface PlainSession {
  lane: string
  start: number | null
  end: number | null
  amount: number | null
  problems: string[]
}

const week = 7 * dayMs

const getPlace = (event: CurbEvent): string =>
  event.spaceId
    ? `space:${event.spaceId}`
    : event.zoneId
      ? `zone:${event.zoneId}`
      : `area:${event.areaIds[0]}`

/** Returns the last published version of each event. */
export function listNewestEvents(events: readonly CurbEvent[]): CurbEvent[] {
  const byId = new Map<string, CurbEvent>()
  for (const event of events) {
    const newest = byId.get(event.eventId)
    if (!newest || event.publicationTime > newest.publicationTime) byId.set(event.eventId, event)
  }
  return [...byId.values()]
}

/** Returns the sessions of events, made per lane: session key, else vehicle and place, else device and place. */
export function plainSessions(events: readonly CurbEvent[]): PlainSession[] {
  const parking = listNewestEvents(events).filter(
    ({ type, method }) => (type === 'park_start' || type === 'park_end') && method !== 'test',
  )
  const lanes = new Map<string, CurbEvent[]>()
  for (const event of parking) {
    const lane = event.sessionKey
      ? `session ${event.sessionKey}`
      : event.vehicle
        ? `vehicle ${event.vehicle} ${getPlace(event)}`
        : `device ${event.deviceId} ${getPlace(event)}`
    lanes.set(lane, [...(lanes.get(lane) ?? []), event])
  }
  return [...lanes].flatMap(([lane, laneEvents]) =>
    lane.startsWith('session') ? makeIdSession(lane, laneEvents) : makePlaceSessions(lane, laneEvents),
  )
}

const compareTimes = (a: CurbEvent, b: CurbEvent): number =>
  a.time - b.time || (a.eventId < b.eventId ? -1 : 1)

/** Returns the session of the events with one session id: from the first start to the last end. */
function makeIdSession(lane: string, events: readonly CurbEvent[]): PlainSession[] {
  const starts = events.filter(({ type }) => type === 'park_start').toSorted(compareTimes)
  const ends = events.filter(({ type }) => type === 'park_end').toSorted(compareTimes)
  const [start, end] = [starts[0], ends.at(-1)]
  const problems = [
    ...(start && end && end.time < start.time ? ['ends_before_start'] : []),
    ...(starts.length > 1 ? ['repeated_start'] : []),
    ...(ends.length > 1 ? ['repeated_end'] : []),
  ]
  return [
    {
      lane,
      start: start?.time ?? null,
      end: end?.time ?? null,
      amount: end?.amount ?? start?.amount ?? null,
      problems: problems.toSorted(),
    },
  ]
}

/** Returns the sessions of a vehicle, a space or a zone. In a zone, the vehicle that came first leaves first. */
function makePlaceSessions(lane: string, events: readonly CurbEvent[]): PlainSession[] {
  const isSingle = lane.startsWith('vehicle') || lane.includes('space:')
  const sessions: (PlainSession & { isParked: boolean })[] = []
  const times = [...new Set(events.map(({ time }) => time))].toSorted((a, b) => a - b)
  for (const time of times) {
    const simultaneous = events.filter((event) => event.time === time).toSorted(compareTimes)
    const findParked = () =>
      sessions.filter((session) => session.isParked && session.start !== null && session.start + week >= time)
    const starts = simultaneous.filter(({ type }) => type === 'park_start')
    const ends = simultaneous.filter(({ type }) => type === 'park_end')
    const arrive = (): void => {
      for (const event of starts) {
        const [before] = findParked()
        if (isSingle && before) {
          before.isParked = false
          before.problems = ['no_end']
        }
        sessions.push({ lane, start: time, end: null, amount: event.amount, problems: [], isParked: true })
      }
    }
    const leave = (): void => {
      for (const event of ends) {
        const [first] = findParked()
        if (first) {
          first.end = time
          first.amount = event.amount ?? first.amount
          first.isParked = false
        } else
          sessions.push({
            lane,
            start: null,
            end: time,
            amount: event.amount,
            problems: ['no_start'],
            isParked: false,
          })
      }
    }
    if (findParked().length) {
      leave()
      arrive()
    } else {
      arrive()
      leave()
    }
  }
  return sessions.map(({ isParked: _isParked, ...session }) => session)
}
