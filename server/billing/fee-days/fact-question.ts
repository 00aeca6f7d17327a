import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { buildDiscountIndex } from './discount-place.ts'
import type { FeeRevision } from './fee-revision.ts'
import type { FactQuestion, ParkingPlaces } from './queries.ts'

/** Dependencies and options of counting fees. */
export interface FeeEngine {
  facts: Facts
  membership: LayerMembership
  /** Includes all operators of the region. */
  scope: Scope
  region: Pick<Region, 'regionId' | 'timezone' | 'operatingHours' | 'lostAfterHours'>
  /** Milliseconds since 1970. */
  now: number
  /** All operators if empty or omitted. */
  operators?: readonly string[]
  signal?: AbortSignal
}

/** Limits of queries about fees: `seconds`, and `memory` in bytes. */
export const feeQueryOptions = { limits: { seconds: 300, memory: 4 * 2 ** 30 } }

/** Returns the options of queries for a request that may be aborted. */
export const abortableOptions = ({ signal }: FeeEngine) => ({
  ...feeQueryOptions,
  ...(signal ? { signal } : {}),
})

/** Reads the spatial indexes that limit the parking events of a revision. */
export async function findParkingPlaces(engine: FeeEngine, revision: FeeRevision): Promise<ParkingPlaces> {
  const { place } = revision
  return {
    indexes: place && (await engine.membership.forAreas(engine.scope, place.content, place.areas)),
    discount: await buildDiscountIndex(engine, revision),
  }
}

/** Makes the question for consecutive days; null if the revision has no day or operator in it. */
export function toFactQuestion(
  { region: { regionId, timezone, lostAfterHours }, operators = [], now }: FeeEngine,
  { policy, from, until }: FeeRevision,
  days: readonly LocalDay[],
): FactQuestion | null {
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return null
  const span = {
    from: Math.max(from, getDayStart(first, timezone)),
    until: Math.min(until, getDayEnd(last, timezone), now),
  }
  const chargedOperators = policy.operators.length
    ? policy.operators.filter((slug) => !operators.length || operators.includes(slug))
    : operators
  if (span.until <= span.from || (policy.operators.length && !chargedOperators.length)) return null
  const filter = {
    regionId,
    policy: {
      vehicle_types: policy.vehicle_types,
      propulsion_types: policy.propulsion_types,
      exempt_vehicle_types: policy.fee_properties.options.exempt_vehicle_types,
    },
    operators: chargedOperators,
    lostAfterHours,
    now,
  }
  return { filter, ...span, first, last, timezone }
}

/** Splits a list into chunks of at most `size` items. */
export const toChunks = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
