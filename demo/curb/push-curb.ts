import { setTimeout as wait } from 'node:timers/promises'
import type { CurbEvent } from '#server/curb/sessions/curb-event.ts'
import { waitAfter } from '../servers/push-fleet.ts'
import type { SentEvent } from './curb-events.ts'
import type { CurbTraffic } from './curb-traffic.ts'

/** An event in the words of CDS; what is not known is left out. */
export function cdsItem(event: CurbEvent): Record<string, unknown> {
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

/** One feed of the curb: the sensors, or the vehicles of the delivery fleets. */
export interface CurbFeed {
  name: string
  token: string
  kind: 'sensor' | 'data_feed'
}

export interface PushingCurb {
  traffic: Pick<CurbTraffic, 'events'>
  /** The city's CDS Events API, as in https://city.example/cds/events/region. */
  url: string
  feeds: readonly CurbFeed[]
  /** Ms: everything before is known there. */
  from: number
  now: () => number
  say: (line: string) => void
  /** Between two pushes, ms. */
  everyMs?: number
}

const usualEveryMs = 10_000
const maxEvents = 2000
/** A push tells of at most so much time: what was missed comes bit by bit. */
const maxSpanMs = 3 * 3_600_000
const timeoutMs = 60_000

/** Pushes what happens at the curb as it happens, from where the server acknowledged the last push. Ends when stopped. */
export async function pushCurb(
  { traffic, url, feeds, from, now, say, everyMs = usualEveryMs }: PushingCurb,
  signal: AbortSignal,
): Promise<void> {
  const push = async ({ name, token }: CurbFeed, events: readonly SentEvent[]): Promise<void> => {
    for (let at = 0; at < events.length; at += maxEvents) {
      const items = events.slice(at, at + maxEvents).map(({ event }) => cdsItem(event))
      const answer = await fetch(`${url}/events/event`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.cds+json;version=1.1' },
        body: JSON.stringify({ events: items }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      const body = (await answer.json().catch(() => null)) as {
        failures?: { error_description?: string }[]
      } | null
      if (answer.status >= 300) throw new Error(`${name}: ${answer.status}`)
      const [failure] = body?.failures ?? []
      if (failure) say(`${name}: ${body?.failures?.length} events refused, ${failure.error_description}`)
    }
  }
  const done = new Map(feeds.map((feed) => [feed, from]))
  let failures = 0
  while (!signal.aborted) {
    const at = now()
    let isBehind = false
    try {
      for (const feed of feeds) {
        const since = done.get(feed) ?? from
        const until = Math.min(at, since + maxSpanMs)
        const events = traffic.events(since, until).filter(({ event }) => event.sourceKind === feed.kind)
        await push(feed, events)
        done.set(feed, until)
        isBehind ||= until < at
      }
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      say(
        `Curb: the city's server did not take a push (${error instanceof Error ? error.message : String(error)}); tried again`,
      )
    }
    const pause = isBehind && !failures ? Math.min(everyMs, 300) : waitAfter(failures, everyMs)
    await wait(pause, undefined, { signal }).catch(() => undefined)
  }
}
