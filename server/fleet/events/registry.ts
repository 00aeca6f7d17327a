import { createHash } from 'node:crypto'
import type { VehicleType } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { NewVehicles } from './store-records.ts'
import type { Vehicle } from './vehicle.ts'

interface KnownVehicle {
  vehicleType: VehicleType
  /** Of the record as received: the records of all vehicles together may be larger than memory. */
  digest: string
}

/** As the store's MD5 of the same text. */
const attributesDigest = (attributes: string): string => createHash('md5').update(attributes).digest('hex')

const vehicleKey = (operator: string, deviceId: string): string => `${operator} ${deviceId}`

/** The registered vehicles of the regions, cached: unchanged records are not stored again. */
export class Registry {
  private readonly regions = new Map<string, Promise<Map<string, KnownVehicle>>>()
  private readonly store: Facts
  constructor(store: Facts) {
    this.store = store
  }

  private load(scope: Scope, regionId: string): Promise<Map<string, KnownVehicle>> {
    let found = this.regions.get(regionId)
    if (!found) {
      found = this.read(scope, regionId)
      this.regions.set(regionId, found)
      found.catch(() => this.regions.delete(regionId))
    }
    return found
  }

  private async read(scope: Scope, regionId: string, which: Sql = sql``): Promise<Map<string, KnownVehicle>> {
    const rows = await this.store.rows<KnownVehicle & { operator: string; deviceId: string }>(
      scope,
      sql`select operator, toString(device_id) as deviceId, vehicle_type as vehicleType, lower(hex(MD5(attributes))) as digest from ${latest('vehicles')} where region_id = ${bind('String', regionId)} ${which}`,
      { limits: { seconds: 60, memory: 2 * 2 ** 30 } },
    )
    return new Map(rows.map(({ operator, deviceId, ...known }) => [vehicleKey(operator, deviceId), known]))
  }

  /** Which of some vehicles are registered. Unknown ones are looked up: another server may have registered them. */
  async find(
    scope: Scope,
    regionId: string,
    operator: string,
    deviceIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const known = await this.load(scope, regionId)
    const isKnown = (deviceId: string): boolean => known.has(vehicleKey(operator, deviceId))
    const others = [...new Set(deviceIds.filter((deviceId) => !isKnown(deviceId)))]
    for (let at = 0; at < others.length; at += 2000) {
      const found = await this.read(
        scope,
        regionId,
        sql`and operator = ${bind('String', operator)} and device_id in ${bind('Array(UUID)', others.slice(at, at + 2000))}`,
      )
      for (const [key, each] of found) if (!known.has(key)) known.set(key, each)
    }
    return new Set(deviceIds.filter(isKnown))
  }

  /** Which registrations are new or changed; of several of one vehicle the last. */
  async findNew(scope: Scope, regionId: string, vehicles: readonly Vehicle[]): Promise<NewVehicles> {
    if (!vehicles.length) return { vehicles: [], retyped: [] }
    const known = await this.load(scope, regionId)
    const last = [
      ...new Map(vehicles.map((each) => [vehicleKey(each.operator, each.deviceId), each])).entries(),
    ]
    const changed = last.filter(
      ([key, { attributes, vehicleType }]) =>
        known.get(key)?.digest !== attributesDigest(attributes) ||
        known.get(key)?.vehicleType !== vehicleType,
    )
    // An unregistered vehicle counted as `other` so far: its first registration changes its type too.
    return {
      vehicles: changed.map(([, each]) => each),
      retyped: changed
        .filter(([key, { vehicleType }]) => (known.get(key)?.vehicleType ?? 'other') !== vehicleType)
        .map(([, each]) => each),
    }
  }

  /** To be called once they are stored. */
  async cache(scope: Scope, regionId: string, { vehicles }: NewVehicles): Promise<void> {
    if (!vehicles.length) return
    const known = await this.load(scope, regionId)
    for (const { operator, deviceId, vehicleType, attributes } of vehicles)
      known.set(vehicleKey(operator, deviceId), { vehicleType, digest: attributesDigest(attributes) })
  }
}
