import type { PaymentLocation } from '#contract/curb-payments.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { Problem } from '#server/http/problem.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Store } from '#server/stores/state.ts'
import { listLocations } from './locations.ts'
import { paymentTableColumns } from './payment-rows.ts'
import type { Publishing } from './publish-payments.ts'
import { relinkedRows } from './queries.ts'
import { paymentSessions } from './stitch/payment-sessions-product.ts'
import { formatSpan } from './stitch/queries.ts'
import { paymentSums } from './sums/payment-sums-product.ts'

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

type LocationLink = Pick<PaymentLocation, 'location_id' | 'curb_zone_id'>

/** Links or unlinks payment locations, rewrites the zone of their payments, marks sums and sessions dirty. */
export async function linkLocations(
  publishing: Publishing,
  scope: Scope,
  regionId: string,
  links: readonly LocationLink[],
): Promise<void> {
  const { state, facts, nextVersion, now } = publishing
  await checkLinks(state.as(scope), regionId, links)
  const at = now()
  await state
    .as(scope)
    .transaction()
    .execute((store) => storeLinks(store, regionId, links, at))
  const { days, spans } = await findAffectedSpans(facts, scope, regionId, links)
  const zones = new Map(links.map((link) => [link.location_id, link.curb_zone_id ?? '']))
  const rows = relinkedRows(regionId, zones, nextVersion())
  await facts.add(scope, 'curb_payments', { columns: paymentTableColumns, rows, ...queryOptions })
  await markDirty(state, scope, { product: paymentSums, regionId }, { spans: days, time: at })
  await markDirty(state, scope, { product: paymentSessions, regionId }, { spans, time: at })
}

/** Requires that all locations and zones exist. @throws Problem `not_found` or `validation_error`. */
async function checkLinks(store: Store, regionId: string, links: readonly LocationLink[]): Promise<void> {
  const locations = await listLocations(store, regionId)
  const locationIds = new Set(locations.map((location) => location.location_id))
  if (links.some((link) => !locationIds.has(link.location_id)))
    throw new Problem('not_found', 'There is no such location of payments.')
  const zoneIds = [...new Set(links.flatMap(({ curb_zone_id: id }) => id ?? []))]
  if (!zoneIds.length) return
  const zones = await store
    .selectFrom('curb_zone')
    .select('curb_zone_id')
    .where('region_id', '=', regionId)
    .where('curb_zone_id', 'in', zoneIds)
    .execute()
  if (zones.length < zoneIds.length) throw new Problem('validation_error', 'There is no such curb zone.')
}

async function storeLinks(
  store: Store,
  regionId: string,
  links: readonly LocationLink[],
  at: Date,
): Promise<void> {
  for (const { location_id: locationId, curb_zone_id: zoneId } of links)
    await store
      .updateTable('curb_location')
      .set({ curb_zone_id: zoneId, is_linked_by_hand: true, updated_time: at })
      .where('region_id', '=', regionId)
      .where('location_id', '=', locationId)
      .execute()
}

/** Finds the local days (for sums) and spans (for sessions) of the stored payments at linked locations. */
async function findAffectedSpans(
  facts: Facts,
  scope: Scope,
  regionId: string,
  links: readonly LocationLink[],
): Promise<{ days: string[]; spans: string[] }> {
  const locationIds = bind(
    'Array(String)',
    links.map((link) => link.location_id),
  )
  const where = sql`region_id = ${bind('String', regionId)} and location_id in ${locationIds}`
  const imports = await facts.rows<{ import_id: string; first: number; last: number }>(
    scope,
    sql`
    select
      toString(import_id) as import_id,
      toUnixTimestamp(min(paid_time)) as first,
      toUnixTimestamp(max(paid_time)) as last
    from ${latest('curb_payments')}
    where ${where} and source != 'cds'
    group by import_id`,
    queryOptions,
  )
  const days = await facts.rows<{ day: string }>(
    scope,
    sql`
    select distinct toString(arrayJoin([day, parked_day])) as day
    from ${latest('curb_payments')}
    where ${where}`,
    queryOptions,
  )
  return {
    days: days.map(({ day }) => day),
    spans: imports.map(({ import_id: importId, first, last }) =>
      formatSpan({ importId, from: first, until: last }),
    ),
  }
}
