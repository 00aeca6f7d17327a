import type { Store } from '#server/stores/state.ts'
import { signIns } from './sign-ins.ts'

/** The demo city's region. */
export const demoRegionId = 'port-meridian'
/** Seed of its trips, fleets, weather and 311 issues. */
export const demoSeed = 4870

const selectRegion = (store: Store, regionId: string) =>
  store
    .selectFrom('region')
    .select(['organization_id', 'timezone', 'lat', 'lon'])
    .where('region_id', '=', regionId)

interface DemoRegion {
  organization_id: string
  timezone: string
  lat: number
  lon: number
}

/** Finds the demo city's region; undefined before its first run. */
export const findDemoRegion = (store: Store): Promise<DemoRegion | undefined> =>
  selectRegion(store, demoRegionId).executeTakeFirst()

/** Reads a region that exists. */
export const readDemoRegion = (store: Store, regionId: string): Promise<DemoRegion> =>
  selectRegion(store, regionId).executeTakeFirstOrThrow()

/** Finds the administrator of the demo city, in the name of whom deferred work is stored. */
export async function findDemoAdministrator(
  store: Store,
): Promise<{ userId: string; email: string } | undefined> {
  const administrator = signIns.find(({ role }) => role === 'administrator')
  return store
    .selectFrom('user')
    .select(['id as userId', 'email'])
    .where('email', '=', administrator?.email ?? '')
    .executeTakeFirst()
}
