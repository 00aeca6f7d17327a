import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as tableOf, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import type { Derivation } from '../../fleet/derivation.ts'
import type { TripSpan } from '../../fleet/derive-trips.ts'
import { onDaysOf } from '../../fleet/queries/trips.ts'
import { noteRouteDays } from './route-days.ts'

interface Noting {
  state: Pick<State, 'as'>
  facts: Facts
}

/**
 * Writes down the local days whose ways a derivation has stored or taken back. To be called once deriveRoutes is done and before the runs' lists are
 * emptied: a derivation that was cut off is done again, and notes them then.
 */
export async function noteDerivedDays(
  { state, facts }: Noting,
  scope: Scope,
  { regionId, version }: Pick<Derivation, 'regionId' | 'version'>,
  reach: TripSpan,
): Promise<void> {
  const rows = await facts.rows<{ day: string }>(
    scope,
    sql`select distinct toString(local_date) as day from ${tableOf('trip_routes')} where ${onDaysOf({ regionId, ...reach })} and version = ${bind('UInt64', version)}`,
  )
  await noteRouteDays(
    state,
    scope,
    regionId,
    rows.map(({ day }) => day),
    version,
  )
}
