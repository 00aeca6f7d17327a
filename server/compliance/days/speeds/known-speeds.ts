import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { MeasureInput } from '../measure-input.ts'
import type { Span } from '../queries/fact-rows.ts'
import { type SpeedSources, speedRows } from '../queries/speed-rows.ts'
import { speedDayRows, type SpeedDay } from './queries/speed-days.ts'

/** Limits of the query: `seconds`, and `memory` in bytes. */
const queryOptions = { limits: { seconds: 120, memory: 2 * 2 ** 30 } }

/** Finds on which days of a span the speeds of trips are stored, and on which they must be computed. */
export async function findSpeedDays(
  facts: Facts,
  scope: Scope,
  { regionId, span, signal }: { regionId: string; span: Span; signal?: AbortSignal },
): Promise<SpeedSources> {
  const days = await facts.rows<SpeedDay>(scope, speedDayRows(regionId, span), {
    ...queryOptions,
    ...(signal ? { signal } : {}),
  })
  const isStored = ({ build }: SpeedDay): boolean => build !== '0'
  return { stored: days.filter(isStored), due: days.filter((day) => !isStored(day)) }
}

/** Builds SQL for the places of trips in a span with their `speed` in m/s, above `minSpeed` if it is set. */
export async function buildPlacesWithSpeedSql(
  { facts, scope, filter, signal }: Pick<MeasureInput, 'facts' | 'scope' | 'filter' | 'signal'>,
  span: Span,
  minSpeed: number | null = null,
): Promise<Sql> {
  return speedRows(
    filter,
    span,
    await findSpeedDays(facts, scope, { regionId: filter.regionId, span, signal }),
    minSpeed,
  )
}
