// An operator of Alder that pushes its fleet to server processes.
import { randomUUID } from 'node:crypto'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { insertFeed } from './store-region.ts'
import type { TestApp } from './app.ts'
import { event, providerId } from './mds-samples.ts'

/** Adds the operator. Returns its token for the Agency API. */
export async function addPushingOperator(app: TestApp, organizationId: string): Promise<string> {
  const store = app.state.as(systemScope)
  await store
    .insertInto('operator')
    .values({
      organization_id: organizationId,
      slug: 'lark',
      name: 'Lark',
      color_hex: '#336699',
      provider_id: providerId,
    })
    .execute()
  const feedId = await insertFeed(app.state, { region_id: 'alder', operator: 'lark', kind: 'mds_agency' })
  return (
    await makeAgencyToken(app.state.as(regionScope(organizationId, 'alder')), feedId, {
      actor: null,
      at: new Date(),
    })
  ).token
}

/** Sends items, or an unchanged body, to a stream of the Agency API. */
export const pushTo = (
  url: string,
  token: string,
  stream: string,
  items: object[] | string,
): Promise<Response> =>
  fetch(`${url}/mds/agency/${stream}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.mds+json;version=2.0',
      'content-type': 'application/json',
    },
    body: typeof items === 'string' ? items : JSON.stringify(items),
  })

/** Makes a trip_end event of a vehicle. `at` is in milliseconds. */
export const tripEnd = (
  device_id: string | undefined,
  {
    at = Date.now(),
    event_id,
    lat = 41.49,
  }: { at?: number; event_id?: string | undefined; lat?: number } = {},
): object =>
  event(1, {
    device_id,
    event_id: event_id ?? randomUUID(),
    timestamp: at,
    publication_time: at,
    vehicle_state: 'available',
    event_types: ['trip_end'],
    trip_ids: [randomUUID()],
    location: { lat, lng: -72.5 },
  })
