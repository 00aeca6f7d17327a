import { randomUUID } from 'node:crypto'
import { dayNumber, dayOfNumber, localDay } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { createUser } from '#server/identity/create-user.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createRegion } from '#server/regions/save-region.ts'
import { makeCity } from './make-city.ts'
import { operators } from './operators.ts'
import { signIns } from './sign-ins.ts'
import { storeDemoLayers } from './store-demo-layers.ts'
import { storeDemoTrips } from './store-demo-trips.ts'

export { signIns }

const seed = 4870
const regionId = 'port-meridian'
/** The demo's import, by which it is known to be complete. */
const complete = 'demo-complete'

/** Days of trips. */
const span = 365

/** Makes the demo city once, with trips of so many days up to today. One that was cut off is removed and made again. */
export async function makeDemo(app: Pick<App, 'state' | 'facts' | 'auth' | 'membership'>, say: (line: string) => void, at = new Date(), days = span): Promise<void> {
  const store = app.state.as(systemScope)
  if (await store.selectFrom('secret').select('name').where('name', '=', complete).executeTakeFirst()) return
  const start = performance.now()
  const seconds = (): string => `${((performance.now() - start) / 1000).toFixed(0)} s`
  say('First run: making the demo city Port Meridian.')
  const old = await store.selectFrom('region').select('organization_id').where('region_id', '=', regionId).executeTakeFirst()
  if (old) await store.deleteFrom('region').where('region_id', '=', regionId).execute()
  const organizationId = old?.organization_id ?? randomUUID()
  if (!old) await store.insertInto('organization').values({ organization_id: organizationId, name: 'City of Port Meridian', type: 'city' }).execute()
  for (const { email, password, role, permissions } of signIns)
    await createUser(app.auth, app.state, { email, password, name: `Demo ${role}`, organizationId, permissions, acceptedTermsOfService: true }, at)

  const city = makeCity(seed)
  await createRegion(app.state, organizationId, { regionId, text: city.name, lat: city.lat, lon: city.lon, mapZoom: city.mapZoom, timezone: city.timezone, currencyCode: 'USD', isMetric: false })
  for (const { slug, name, colorHex } of operators)
    await store.insertInto('operator').values({ organization_id: organizationId, slug, name, color_hex: colorHex }).onConflict((clash) => clash.doNothing()).execute()
  const scope = regionScope(organizationId, regionId)
  const layers = await storeDemoLayers(app, scope, regionId, city, at)
  say(`  ${seconds()}: streets, water, parks and ${layers} layers`)
  const until = dayNumber(localDay(at, city.timezone))
  const trips = await storeDemoTrips(app, scope, { regionId, city, seed, from: dayOfNumber(until - days), until: dayOfNumber(until), at }, (share, count) =>
    say(`  ${seconds()}: ${Math.round(share * 100)} % of ${days} days, ${count.toLocaleString('en-US')} trips`),
  )
  await store.insertInto('secret').values({ name: complete, value: String(trips) }).execute()
  say(`  ${seconds()}: Port Meridian is ready`)
}
