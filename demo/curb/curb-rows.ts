import { toEventLines } from '#server/curb/sessions/event-rows.ts'
import { getEventLane } from '#server/curb/sessions/curb-event.ts'
import { deriveLane, type LaneEvent } from '#server/curb/sessions/derive-lane.ts'
import { toSessionLines, type SessionRow, toSessionRow } from '#server/curb/sessions/session-rows.ts'
import type { CurbPlace } from './curb-place.ts'
import { CurbTraffic } from './curb-traffic.ts'

/** A range of local days (days since 1970-01-01, half-open) of the curb's history. */
export interface CurbDays {
  regionId: string
  timezone: string
  seed: number
  places: readonly CurbPlace[]
  from: number
  until: number
  /** Time at which the history ends. */
  endMs: number
  /** Version of the session rows. */
  version: bigint
  /** Stored hash of each vehicle. */
  hashByVehicle: ReadonlyMap<string, string>
  /** Feeds by source kind. */
  feedByKind: ReadonlyMap<string, string>
}

export interface CurbRows {
  /** Rows of `curb_events` and of `curb_sessions`, as tab-separated text. */
  events: Uint8Array
  sessions: Uint8Array
  count: number
}

/** Days generated before and after the range, because sessions remain open while their sensor is silent. */
const marginDays = 4
const noBatch = '00000000-0000-0000-0000-000000000000'

/** Makes the events and sessions of some days. CPU-bound: a second for two weeks. */
export function makeCurbRows({
  regionId,
  places,
  from,
  until,
  endMs,
  version,
  hashByVehicle,
  feedByKind,
  ...trafficOptions
}: CurbDays): CurbRows {
  const traffic = new CurbTraffic(places, trafficOptions)
  const lastDay = Math.min(until + marginDays, traffic.getDay(endMs) + 1)
  const [storedFromMs, storedUntilMs] = [
    traffic.getDayStart(from),
    Math.min(endMs, traffic.getDayStart(until)),
  ]
  const events: Buffer[] = []
  const sessions: Buffer[] = []
  let count = 0
  for (const place of places) {
    const sent = traffic
      .makePlaceEvents(place, from - marginDays, lastDay)
      .filter(({ sentMs }) => sentMs < endMs)
    for (const { event } of sent) if (event.vehicle) event.vehicle = hashByVehicle.get(event.vehicle) ?? ''
    const lanes = new Map<string, LaneEvent[]>()
    for (const { event } of sent) {
      const lane = getEventLane(event)
      if (lane.startsWith('source:')) continue
      const laneEvents = lanes.get(lane)
      if (laneEvents) laneEvents.push(event)
      else lanes.set(lane, [event])
    }
    const rows: SessionRow[] = []
    for (const [lane, laneEvents] of lanes)
      for (const session of deriveLane(
        lane,
        laneEvents.sort((a, b) => a.time - b.time || (a.eventId < b.eventId ? -1 : 1)),
      ))
        if (session.fromTime >= storedFromMs && session.fromTime < storedUntilMs)
          rows.push(toSessionRow(lane, session))
    if (rows.length) sessions.push(toSessionLines(regionId, rows, version))
    count += rows.length
    for (const kind of ['sensor', 'data_feed']) {
      const stored = sent.filter(
        ({ sentMs, event }) => event.sourceKind === kind && sentMs >= storedFromMs && sentMs < storedUntilMs,
      )
      if (stored.length)
        events.push(
          toEventLines(
            stored.map(({ event }) => event),
            { regionId, feedId: feedByKind.get(kind) ?? '', batchId: noBatch, received: storedUntilMs },
          ),
        )
    }
  }
  return { events: Buffer.concat(events), sessions: Buffer.concat(sessions), count }
}
