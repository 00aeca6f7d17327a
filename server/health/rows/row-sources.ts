import type { HealthFigureName } from '#contract/health-figures.ts'
import type { LocalDay } from '#contract/period.ts'
import type { FeedChecks } from '../day-facts.ts'
import { computeQuantile } from '../figures/quantile.ts'
import type { HealthRegion } from '../health-region.ts'
import { findingRows, repeatedRows } from '../queries/feed-rows.ts'
import { agreementRows, orphanTripRows } from '../queries/trip-rows.ts'
import {
  aheadRows,
  illegalTransitionRows,
  impossibleSpeedRows,
  lateRows,
  silentVehicleRows,
  toTransitionKey,
} from '../queries/vehicle-rows.ts'
import type { Span } from '../span.ts'
import { type Sql, sql } from '#server/stores/sql.ts'

/** The input of row queries. Times are ms. */
export interface RowInput {
  region: HealthRegion
  span: Span
  at: number
  /** Only rows of this feed. */
  feed: string | undefined
  /** Whether the viewer may see an operator. */
  canSee: (operator: string) => boolean
  earlierFeeds: readonly string[]
  /** The checks of all feeds in the span. */
  findChecks: () => Promise<ReadonlyMap<LocalDay, { body: FeedChecks[] }>>
  /** Operators that reported trips in the span. */
  findReportingOperators: () => Promise<string[]>
}

const findRequestedChecks = async ({ findChecks, span, feed, canSee }: RowInput): Promise<FeedChecks[]> =>
  [...(await findChecks()).values()]
    .flatMap(({ body }) => body)
    .filter(
      (checks) =>
        canSee(checks.operator) &&
        (span.operator === undefined || checks.operator === span.operator) &&
        (feed === undefined || checks.feed === feed),
    )

/** Queries for the rows of figures about records. The rows of other figures are hours, days or feeds. */
export const rowSources: Readonly<Partial<Record<HealthFigureName, (input: RowInput) => Promise<Sql>>>> = {
  async illegal_transitions(input) {
    const transitions = (await findRequestedChecks(input)).flatMap(({ ways }) =>
      ways.map(([machine, before, types, state]) => toTransitionKey(machine, before, types, state)),
    )
    return illegalTransitionRows(input.span, input.earlierFeeds, [...new Set(transitions)])
  },
  impossible_speeds: async ({ span, at }) => impossibleSpeedRows(span, at),
  async orphan_trips(input) {
    const operatorsWithEvents = (await findRequestedChecks(input))
      .filter(({ late }) => late.length > 0)
      .map(({ operator }) => operator)
    return orphanTripRows(
      input.span,
      input.at,
      [...new Set(operatorsWithEvents)],
      await input.findReportingOperators(),
    )
  },
  silent_vehicles: async ({ region, span, at }) =>
    silentVehicleRows(region.regionId, Math.min(span.until, at), region.lostAfterHours, span.operator),
  schema_violations: async ({ span }) => findingRows(span, 'schema'),
  clock_skew: async ({ span }) => sql`${findingRows(span, 'clock_skew')} union all ${aheadRows(span)}`,
  async late_arrival(input) {
    const histogram = (await findRequestedChecks(input)).flatMap(({ late }) => late)
    return lateRows(input.span, computeQuantile(histogram, 0.95) ?? 0)
  },
  agreement: async ({ span }) => agreementRows(span),
  duplicates: async ({ span }) => repeatedRows(span),
}
