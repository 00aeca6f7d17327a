import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Sql } from '#server/stores/sql.ts'
import type { Measuring } from '../measuring.ts'
import type { Span } from '../queries/fact-rows.ts'
import { type KnownSpeeds, speedRows } from '../queries/speed-rows.ts'
import { speedDays, type SpeedDay } from './queries/speed-days.ts'

const limits = { limits: { seconds: 120, memory: 2 * 2 ** 30 } }

/** Finds on which days of a span the speeds of trips are stored, and on which they must be computed. */
export async function knownSpeeds(
  facts: Facts,
  scope: Scope,
  { regionId, span, signal }: { regionId: string; span: Span; signal?: AbortSignal },
): Promise<KnownSpeeds> {
  const days = await facts.rows<SpeedDay>(scope, speedDays(regionId, span), {
    ...limits,
    ...(signal ? { signal } : {}),
  })
  return { stored: days.filter(({ build }) => build !== '0'), due: days.filter(({ build }) => build === '0') }
}

/** SQL of places of trips in a span with their `speed` in m/s. `over`: only speeds above it. */
export async function placesWithSpeed(
  { facts, scope, filter, signal }: Pick<Measuring, 'facts' | 'scope' | 'filter' | 'signal'>,
  span: Span,
  over: number | null = null,
): Promise<Sql> {
  return speedRows(
    filter,
    span,
    await knownSpeeds(facts, scope, { regionId: filter.regionId, span, signal }),
    over,
  )
}
