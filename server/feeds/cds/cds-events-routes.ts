import { cdsSourceTypes } from '#contract/cds-events.ts'
import { normalizeId } from '#server/curb/sessions/read-cds-event.ts'
import type { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import { listEvents, listSources, type PlaceFilter } from '#server/curb/sessions/read-events.ts'
import { readCdsEvents } from '../adapters/cds-events.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { countIngested } from '#server/metrics/count-ingested.ts'
import { AgencyError } from '../agency/agency-error.ts'
import { pushedJson, pushedList } from '../agency/pushed-list.ts'
import type { CdsAnswer, CdsCall, CdsRoute } from './serve-cds.ts'

interface Sources {
  state: State
  facts: Facts
  sessions: CurbSessions
  fleetIngest: Pick<FleetIngest, 'store'>
}

const hourMs = 3_600_000
/** Between two notes of one feed, ms: pushes come many a second. */
const noteIntervalMs = 5000

const placeOf = ({ query }: CdsCall): PlaceFilter => ({
  areaId: normalizeId(query['curb_area_id'] ?? ''),
  zoneId: normalizeId(query['curb_zone_id'] ?? ''),
  spaceId: normalizeId(query['curb_space_id'] ?? ''),
  objectId: normalizeId(query['curb_object_id'] ?? ''),
})

/** An hour of UTC such as 2026-03-07T12, or the last 60 minutes, ms. */
function hourOf({ query, received }: CdsCall): { from: number; until: number } {
  const text = query['event_time']
  if (text === undefined) return { from: received - hourMs, until: received + 1 }
  const from = /^\d{4}-\d\d-\d\dT\d\d$/.test(text) ? Date.parse(`${text}:00:00Z`) : NaN
  if (Number.isNaN(from))
    throw new AgencyError(400, 'bad_param', 'event_time must be an hour of UTC such as 2026-03-07T12.', [
      'event_time',
    ])
  return { from, until: from + hourMs }
}

/** The Events API of CDS: events are pushed and read. */
export function cdsEventsRoutes({ state, facts, sessions, fleetIngest }: Sources): CdsRoute[] {
  const noted = new Map<string, number>()

  const notePush = async (feedId: string, received: number, newest: number): Promise<void> => {
    if (received - (noted.get(feedId) ?? -Infinity) < noteIntervalMs) return
    noted.set(feedId, received)
    const [at, record] = [new Date(received), new Date(Math.min(newest, received))]
    await state
      .as(systemScope)
      .updateTable('feed')
      .set((eb) => ({
        last_attempt_time: at,
        last_success_time: at,
        last_record_time: eb.fn<Date>('greatest', ['last_record_time', eb.val(record)]),
      }))
      .where('feed_id', '=', feedId)
      .execute()
  }

  const push = async ({ access, body, contentType, received }: CdsCall): Promise<CdsAnswer> => {
    const type = contentType?.replace(/vnd\.cds\+json/i, 'json')
    const json = pushedJson(body, type)
    // One event alone is taken as a list of one.
    const isOne = typeof json === 'object' && json !== null && 'event_id' in json
    const list = isOne ? [json] : pushedList(json, 'events')
    const { events, findings } = readCdsEvents(list, { received, settings: access.settings })
    const { organizationId, regionId, feedId } = access
    if (findings.length)
      await fleetIngest.store({
        organizationId,
        regionId,
        operator: '',
        feedId,
        stream: 'events',
        pullWindow: received,
        received,
        records: { ...noRecords(), findings },
      })
    await sessions.storeBatch({ organizationId, regionId, feedId, received, events })
    await notePush(feedId, received, Math.max(0, ...events.slice(0, 1000).map(({ time }) => time)))
    const refusedAt = new Map(
      findings
        .filter(({ kind, reason }) => kind === 'schema' && !reason.endsWith('stored without it.'))
        .map((finding) => [Number(/^events\[(\d+)\]/.exec(finding.field)?.[1]), finding]),
    )
    countIngested('push', { accepted: events.length, setAside: refusedAt.size })
    const failures = [...refusedAt].map(([at, { field, reason }]) => ({
      item: list[at] ?? null,
      error: reason.includes('is missing') ? 'missing_param' : 'bad_param',
      error_description: reason,
      error_details: [field.replace(/^events\[\d+\]\.?/, '') || 'item'],
    }))
    if (!events.length && isOne && failures[0]) {
      const { item: _, ...error } = failures[0]
      return { status: 400, body: error }
    }
    return {
      status: events.length ? 201 : 400,
      body: { success: events.length, total: list.length, failures },
    }
  }

  const frame = async (call: CdsCall, data: object): Promise<CdsAnswer> => {
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

  return [
    { method: 'POST', path: '/events/event', access: 'push', format: 'json', cost: 'light', answer: push },
    {
      method: 'GET',
      path: '/events/events',
      access: 'events',
      format: 'json',
      cost: 'heavy',
      answer: async (call) =>
        frame(call, {
          events: await listEvents(facts, call.access, { ...hourOf(call), ...placeOf(call) }, call.version),
        }),
    },
    {
      method: 'GET',
      path: '/events/status',
      access: 'events',
      format: 'json',
      cost: 'heavy',
      answer: async (call) =>
        frame(call, {
          status: (await listSources(facts, call.access, placeOf(call), call.received)).filter(
            ({ data_source_type }) => (cdsSourceTypes as readonly string[]).includes(data_source_type),
          ),
        }),
    },
  ]
}
