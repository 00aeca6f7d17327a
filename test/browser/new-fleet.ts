import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { readResponse, expect } from './fixtures.ts'

export interface Fleet {
  region: string
  operator: string
  /** Pushes to the Agency API as the operator. */
  push: (path: '/vehicles' | '/events', items: object[]) => Promise<void>
  event: (vehicle: number, over?: object) => object
}

/** Creates a region and an operator with five vehicles, which have sent nothing yet. */
export async function newFleet(
  admin: APIRequestContext,
  prefix: string,
  placeOf: (vehicle: number) => { lat: number; lng: number },
): Promise<Fleet> {
  const run = randomUUID().slice(0, 8)
  const [region, operator] = [`${prefix.toLowerCase()}port-${run}`, `wheels-${run}`]
  const providerId = randomUUID()
  const post = <T>(path: string, data: object) => readResponse<T>(admin.post(path, { data }))
  const { lat, lng: lon } = placeOf(0)
  const timezone = 'America/New_York'
  await post('/v2/regions', {
    regionId: region,
    text: `${prefix}port ${run}`,
    lat,
    lon,
    mapZoom: 13,
    timezone,
  })
  await post('/v2/operators', { slug: operator, name: 'Live Wheels', colorHex: '#0E7490', providerId })
  const feeds = `/v2/regions/${region}/feeds`
  const feed = { operator, kind: 'mds_agency', version: '2.0', name: 'Pushes' }
  const { feedId } = await post<{ feedId: string }>(feeds, feed)
  const { token } = await post<{ token: string }>(`${feeds}/${feedId}/tokens`, {})
  const type = 'application/vnd.mds+json;version=2.0'
  const push: Fleet['push'] = async (path, data) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, accept: type }
    const response = await admin.post(`/mds/agency${path}`, { data, headers })
    expect(response.status(), await response.text()).toBe(201)
  }
  const devices = Array.from({ length: 5 }, () => randomUUID())
  await push(
    '/vehicles',
    devices.map((device_id, vehicle) => ({
      device_id,
      provider_id: providerId,
      vehicle_id: `LW-${vehicle}`,
      vehicle_type: 'scooter_standing',
      propulsion_types: ['electric'],
    })),
  )
  const event: Fleet['event'] = (vehicle, over = {}) => ({
    device_id: devices[vehicle],
    provider_id: providerId,
    event_id: randomUUID(),
    vehicle_state: 'available',
    event_types: ['provider_drop_off'],
    timestamp: Date.now() - 60_000,
    publication_time: Date.now(),
    location: placeOf(vehicle),
    battery_percent: 20 * vehicle + 5,
    ...over,
  })
  return { region, operator, push, event }
}
