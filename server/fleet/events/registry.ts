import { createHash } from 'node:crypto'
import type { VehicleType } from '#contract/mobility.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { NewVehicles } from './store-records.ts'
import type { Vehicle } from './feed-records.ts'

interface KnownVehicle {
  vehicleType: VehicleType
  /** Hash of the record as received. The records of all vehicles may not fit into memory. */
  digest: string
}

/** Equals `lower(hex(MD5(attributes)))` in ClickHouse. */
const hashAttributes = (attributes: string): string => createHash('md5').update(attributes).digest('hex')

/** The number of vehicles per query. */
const vehiclesPerQuery = 2000

const toVehicleKey = (operator: string, deviceId: string): string => `${operator} ${deviceId}`

/** Caches the registered vehicles of regions, so that unchanged registrations are not stored again. */
export class Registry {
  readonly #regions = new Map<string, Promise<Map<string, KnownVehicle>>>()
  readonly #facts: Facts
  constructor(facts: Facts) {
    this.#facts = facts
  }

  /** Returns the cached vehicles of a region by `toVehicleKey`; reads them first if they are not cached. */
  #load(scope: Scope, regionId: string): Promise<Map<string, KnownVehicle>> {
    let vehicles = this.#regions.get(regionId)
    if (!vehicles) {
      vehicles = this.#read(scope, regionId)
      this.#regions.set(regionId, vehicles)
      vehicles.catch(() => this.#regions.delete(regionId))
    }
    return vehicles
  }

  /** Reads a region's vehicles by `toVehicleKey`. `condition` begins with `and`. */
  async #read(scope: Scope, regionId: string, condition: Sql = sql``): Promise<Map<string, KnownVehicle>> {
    const rows = await this.#facts.rows<KnownVehicle & { operator: string; deviceId: string }>(
      scope,
      sql`
        select
          operator,
          toString(device_id) as deviceId,
          vehicle_type as vehicleType,
          lower(hex(MD5(attributes))) as digest
        from ${latest('vehicles')}
        where region_id = ${bind('String', regionId)} ${condition}`,
      { limits: { seconds: 60, memory: 2 * 2 ** 30 } },
    )
    return new Map(
      rows.map(({ operator, deviceId, ...vehicle }) => [toVehicleKey(operator, deviceId), vehicle]),
    )
  }

  /** Returns which vehicles are registered. Unknown ones are looked up: other servers register, too. */
  async find(
    scope: Scope,
    regionId: string,
    operator: string,
    deviceIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const cached = await this.#load(scope, regionId)
    const isKnown = (deviceId: string): boolean => cached.has(toVehicleKey(operator, deviceId))
    const unknownIds = [...new Set(deviceIds.filter((deviceId) => !isKnown(deviceId)))]
    for (let start = 0; start < unknownIds.length; start += vehiclesPerQuery) {
      const ids = bind('Array(UUID)', unknownIds.slice(start, start + vehiclesPerQuery))
      const condition = sql`and operator = ${bind('String', operator)} and device_id in ${ids}`
      const stored = await this.#read(scope, regionId, condition)
      for (const [key, vehicle] of stored) if (!cached.has(key)) cached.set(key, vehicle)
    }
    return new Set(deviceIds.filter(isKnown))
  }

  /** Returns new and changed registrations. If a vehicle is registered several times, the last one counts. */
  async findNew(scope: Scope, regionId: string, vehicles: readonly Vehicle[]): Promise<NewVehicles> {
    if (!vehicles.length) return { vehicles: [], retyped: [] }
    const cached = await this.#load(scope, regionId)
    const byKey = new Map(
      vehicles.map((vehicle) => [toVehicleKey(vehicle.operator, vehicle.deviceId), vehicle]),
    )
    const changed = [...byKey].filter(
      ([key, { attributes, vehicleType }]) =>
        cached.get(key)?.digest !== hashAttributes(attributes) ||
        cached.get(key)?.vehicleType !== vehicleType,
    )
    // An unregistered vehicle counts as `other`, so its first registration may change its type too.
    return {
      vehicles: changed.map(([, vehicle]) => vehicle),
      retyped: changed
        .filter(([key, { vehicleType }]) => (cached.get(key)?.vehicleType ?? 'other') !== vehicleType)
        .map(([, vehicle]) => vehicle),
    }
  }

  /** Caches new registrations. To be called after they are stored. */
  async cache(scope: Scope, regionId: string, { vehicles }: NewVehicles): Promise<void> {
    if (!vehicles.length) return
    const cached = await this.#load(scope, regionId)
    for (const { operator, deviceId, vehicleType, attributes } of vehicles)
      cached.set(toVehicleKey(operator, deviceId), { vehicleType, digest: hashAttributes(attributes) })
  }
}
