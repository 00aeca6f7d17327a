import { cdsSourceTypes } from '#contract/cds-events.ts'
import { hourMs } from '#contract/period.ts'
import { normalizeId } from '#server/curb/sessions/read-cds-event.ts'
import type { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { listEvents, listSources, type PlaceFilter } from '#server/curb/sessions/read-events.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { countIngested } from '#server/metrics/count-ingested.ts'
import { readCdsEvents } from '../adapters/cds-events.ts'
import { AgencyError } from '../agency/agency-error.ts'
import { parsePushedJson, readPushedList } from '../agency/pushed-list.ts'
import type { CdsResponse, CdsCall, CdsRoute } from './serve-cds.ts'

interface EventsServices {
  state: State
  facts: Facts
  sessions: CurbSessions
  fleetIngest: Pick<FleetIngest, 'store'>
}

/** The minimum time between two updates of a feed row, because there may be many pushes per second. */
const minUpdateIntervalMs = 5000

/** The newest event of a push is searched among this many. */
const maxRecordedEvents = 1000
const hourPattern = /^\d{4}-\d\d-\d\dT\d\d$/

/** Reads the requested place; its ids are '' if they are not given. */
const readPlace = ({ query }: CdsCall): PlaceFilter => ({
  areaId: normalizeId(query['curb_area_id'] ?? ''),
  zoneId: normalizeId(query['curb_zone_id'] ?? ''),
  spaceId: normalizeId(query['curb_space_id'] ?? ''),
  objectId: normalizeId(query['curb_object_id'] ?? ''),
})

/** Reads the requested UTC hour (2026-03-07T12), by default the last 60 minutes, in ms since 1970. */
function readHour({ query, received }: CdsCall): { from: number; until: number } {
  const text = query['event_time']
  if (text === undefined) return { from: received - hourMs, until: received + 1 } // includes `received`
  const from = hourPattern.test(text) ? Date.parse(`${text}:00:00Z`) : NaN
  if (Number.isNaN(from))
    throw new AgencyError(400, 'bad_param', 'event_time must be an hour of UTC such as 2026-03-07T12.', [
      'event_time',
    ])
  return { from, until: from + hourMs }
}

/** Returns the routes of the Events API of CDS, through which events are pushed and read. */
export function cdsEventsRoutes(services: EventsServices): CdsRoute[] {
  const { state, facts } = services
  const recordPush = createPushRecorder(state)
  return [
    {
      method: 'POST',
      path: '/events/event',
      access: 'push',
      format: 'json',
      cost: 'light',
      handle: async (call) => {
        const pushed = readPush(call)
        await storePush(services, call, pushed)
        const times = pushed.events.slice(0, maxRecordedEvents).map(({ time }) => time)
        await recordPush(call.access.feedId, call.received, Math.max(0, ...times))
        return toPushResponse(pushed)
      },
    },
    {
      method: 'GET',
      path: '/events/events',
      access: 'events',
      format: 'json',
      cost: 'heavy',
      handle: async (call) => {
        const filter = { ...readHour(call), ...readPlace(call) }
        return toResponse(state, call, { events: await listEvents(facts, call.access, filter, call.version) })
      },
    },
    {
      method: 'GET',
      path: '/events/status',
      access: 'events',
      format: 'json',
      cost: 'heavy',
      handle: async (call) => {
        const sources = await listSources(facts, call.access, readPlace(call), call.received)
        return toResponse(state, call, {
          status: sources.filter(({ data_source_type }) =>
            (cdsSourceTypes as readonly string[]).includes(data_source_type),
          ),
        })
      },
    },
  ]
}

/** Returns a function that records the time of a push and of its newest event for the status of the feed. */
function createPushRecorder(state: State) {
  const lastUpdates = new Map<string, number>()
  return async (feedId: string, received: number, newestTime: number): Promise<void> => {
    if (received - (lastUpdates.get(feedId) ?? -Infinity) < minUpdateIntervalMs) return
    lastUpdates.set(feedId, received)
    const receivedTime = new Date(received)
    const recordTime = new Date(Math.min(newestTime, received))
    await state
      .as(systemScope)
      .updateTable('feed')
      .set((eb) => ({
        last_attempt_time: receivedTime,
        last_success_time: receivedTime,
        last_record_time: eb.fn<Date>('greatest', ['last_record_time', eb.val(recordTime)]),
      }))
      .where('feed_id', '=', feedId)
      .execute()
  }
}

/** The events of a push. */
interface EventPush extends ReturnType<typeof readCdsEvents> {
  /** The events as received, also those that are invalid. */
  list: readonly unknown[]
  /** Whether the body is a single event, which is accepted like a list. */
  isSingle: boolean
}

/** Reads the body of a push. @throws AgencyError. */
function readPush({ access, body, contentType, received }: CdsCall): EventPush {
  const json = parsePushedJson(body, contentType?.replace(/vnd\.cds\+json/i, 'json'))
  const isSingle = typeof json === 'object' && json !== null && 'event_id' in json
  const list = isSingle ? [json] : readPushedList(json, 'events')
  return { list, isSingle, ...readCdsEvents(list, { received, settings: access.settings }) }
}

/** Stores the events and findings of a push. */
async function storePush(
  { fleetIngest, sessions }: EventsServices,
  { access, received }: CdsCall,
  { events, findings }: EventPush,
): Promise<void> {
  const { organizationId, regionId, feedId } = access
  if (findings.length)
    await fleetIngest.store({
      organizationId,
      regionId,
      operator: '',
      feedId,
      stream: 'events',
      windowStart: received,
      received,
      records: { ...noRecords(), findings },
    })
  await sessions.storeBatch({ organizationId, regionId, feedId, received, events })
}

/** Counts a stored push and returns the response, with an error for each rejected event. */
function toPushResponse({ list, isSingle, events, findings }: EventPush): CdsResponse {
  // Findings name the position of their event, and say whether it is stored without the invalid field.
  const findingByIndex = new Map(
    findings
      .filter(({ kind, reason }) => kind === 'schema' && !reason.endsWith('stored without it.'))
      .map((finding) => [Number(/^events\[(\d+)\]/.exec(finding.field)?.[1]), finding]),
  )
  countIngested('push', { accepted: events.length, setAside: findingByIndex.size })
  const failures = [...findingByIndex].map(([index, { field, reason }]) => ({
    item: list[index] ?? null,
    error: reason.includes('is missing') ? 'missing_param' : 'bad_param',
    error_description: reason,
    error_details: [field.replace(/^events\[\d+\]\.?/, '') || 'item'],
  }))
  if (!events.length && isSingle && failures[0]) {
    const { item: _, ...error } = failures[0]
    return { status: 400, body: error }
  }
  return { status: events.length ? 201 : 400, body: { success: events.length, total: list.length, failures } }
}

async function toResponse(state: State, call: CdsCall, data: object): Promise<CdsResponse> {
  const region = await findRegion(state, call.access.scope, call.access.regionId)
  return {
    status: 200,
    body: {
      version: call.version,
      time_zone: region.timezone,
      last_updated: call.received,
      currency: region.currencyCode,
      data,
    },
  }
}
