import { setTimeout as wait } from 'node:timers/promises'
import { hourMs, minuteMs } from '#contract/period.ts'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { waitAfter } from '../servers/push-fleet.ts'
import type { SentEvent } from './curb-events.ts'
import type { CurbTraffic } from './curb-traffic.ts'

/** Converts an event to CDS. Empty fields are left out. */
export function toCdsItem(event: CurbEvent): Record<string, unknown> {
  const [, plate, jurisdiction] = event.vehicle.split(' ')
  const entries = Object.entries({
    event_id: event.eventId,
    event_type: event.type,
    event_purpose: event.purpose,
    event_location: { type: 'Point', coordinates: [event.lon, event.lat] },
    event_time: event.time,
    event_publication_time: event.publicationTime,
    event_session_id: event.sessionKey,
    curb_zone_id: event.zoneId,
    curb_space_id: event.spaceId,
    data_source_type: event.sourceType,
    data_source_operator_name: event.operatorName,
    data_source_device_id: event.deviceId,
    sensor_status_is_online: event.isOnline,
    sensor_status_is_commissioned: event.isCommissioned,
    vehicle_license_plate: plate,
    vehicle_license_plate_jurisdiction: jurisdiction,
    vehicle_type: event.vehicleType,
    vehicle_length: event.vehicleLength,
    vehicle_propulsion_types: event.propulsion.length ? event.propulsion : null,
    vehicle_blocked_lane_types: event.blockedLanes.length ? event.blockedLanes : null,
    enforcement: event.violations.length
      ? { violations: event.violations.map((name) => ({ violation_name: name })) }
      : null,
  })
  return Object.fromEntries(
    entries.filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

/** One feed of the curb: the sensors or the delivery fleets. */
export interface CurbFeed {
  name: string
  token: string
  kind: 'sensor' | 'data_feed'
}

export interface PushCurbOptions {
  traffic: Pick<CurbTraffic, 'events'>
  /** Address of the city's CDS Events API, such as https://city.example/cds/events/region. */
  url: string
  feeds: readonly CurbFeed[]
  /** Time from which events are pushed. */
  fromMs: number
  now: () => number
  printLine: (line: string) => void
  /** Interval between two pushes. */
  intervalMs?: number
}

const defaultIntervalMs = 10_000
const maxEvents = 2000
/** Maximum time that one push covers; longer gaps are caught up in steps. */
const maxSpanMs = 3 * hourMs

/** Pushes events as they occur, each feed from its last acknowledged push on, until `signal` aborts. */
export async function pushCurb(
  { traffic, url, feeds, fromMs, now, printLine, intervalMs = defaultIntervalMs }: PushCurbOptions,
  signal: AbortSignal,
): Promise<void> {
  const push = async ({ name, token }: CurbFeed, events: readonly SentEvent[]): Promise<void> => {
    for (let offset = 0; offset < events.length; offset += maxEvents) {
      const items = events.slice(offset, offset + maxEvents).map(({ event }) => toCdsItem(event))
      const response = await fetch(`${url}/events/event`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.cds+json;version=1.1' },
        body: JSON.stringify({ events: items }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(minuteMs)]),
      })
      const body = (await response.json().catch(() => null)) as {
        failures?: { error_description?: string }[]
      } | null
      if (response.status >= 300) throw new Error(`${name}: ${response.status}`)
      const [failure] = body?.failures ?? []
      if (failure)
        printLine(`${name}: ${body?.failures?.length} events rejected: ${failure.error_description}`)
    }
  }
  /** Time (ms) up to which each feed is acknowledged. */
  const acknowledged = new Map(feeds.map((feed) => [feed, fromMs]))
  let failures = 0
  while (!signal.aborted) {
    const nowMs = now()
    let isBehind = false
    try {
      for (const feed of feeds) {
        const since = acknowledged.get(feed) ?? fromMs
        const until = Math.min(nowMs, since + maxSpanMs)
        const events = traffic.events(since, until).filter(({ event }) => event.sourceKind === feed.kind)
        await push(feed, events)
        acknowledged.set(feed, until)
        isBehind ||= until < nowMs
      }
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      printLine(`Curb: a push failed (${error instanceof Error ? error.message : String(error)}); retrying`)
    }
    const pause = isBehind && !failures ? Math.min(intervalMs, 300) : waitAfter(failures, intervalMs)
    await wait(pause, undefined, { signal }).catch(() => undefined)
  }
}
