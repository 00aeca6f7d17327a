import type { HealthFigureName } from '#contract/health-figures.ts'
import type { LocalDay } from '#contract/period.ts'
import type { FeedChecks } from '../day-facts.ts'
import { quantileOf } from '../figures/quantile.ts'
import type { HealthRegion } from '../health-region.ts'
import {
  agreementRows,
  aheadRows,
  findingRows,
  illegalTransitionRows,
  impossibleSpeedRows,
  lateRows,
  orphanTripRows,
  repeatedRows,
  silentVehicleRows,
  transitionKey,
} from '../queries/record-rows.ts'
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
  isSeen: (operator: string) => boolean
  earlierFeeds: readonly string[]
  events: () => Promise<ReadonlyMap<LocalDay, { body: FeedChecks[] }>>
  /** Operators that reported trips in the span. */
  reporting: () => Promise<string[]>
}

const feedsOf = async ({ events, span, feed, isSeen }: RowInput): Promise<FeedChecks[]> =>
  [...(await events()).values()]
    .flatMap(({ body }) => body)
    .filter(
      (each) =>
        isSeen(each.operator) &&
        (span.operator === undefined || each.operator === span.operator) &&
        (feed === undefined || each.feed === feed),
    )

/** Queries of the figures that have records behind them; other figures have hours, days or feeds. */
export const rowSources: Readonly<Partial<Record<HealthFigureName, (input: RowInput) => Promise<Sql>>>> = {
  async illegal_transitions(input) {
    const ways = (await feedsOf(input)).flatMap((each) =>
      each.ways.map(([machine, before, types, state]) => transitionKey(machine, before, types, state)),
    )
    return illegalTransitionRows(input.span, input.earlierFeeds, [...new Set(ways)])
  },
  impossible_speeds: async ({ span, at }) => impossibleSpeedRows(span, at),
  async orphan_trips(input) {
    const withEvents = (await feedsOf(input))
      .filter((each) => each.late.length > 0)
      .map((each) => each.operator)
    return orphanTripRows(input.span, input.at, [...new Set(withEvents)], await input.reporting())
  },
  silent_vehicles: async ({ region, span, at }) =>
    silentVehicleRows(region.regionId, Math.min(span.until, at), region.lostAfterHours, span.operator),
  schema_violations: async ({ span }) => findingRows(span, 'schema'),
  clock_skew: async ({ span }) => sql`${findingRows(span, 'clock_skew')} union all ${aheadRows(span)}`,
  async late_arrival(input) {
    const late = (await feedsOf(input)).flatMap((each) => each.late)
    return lateRows(input.span, quantileOf(late, 0.95) ?? 0)
  },
  agreement: async ({ span }) => agreementRows(span),
  duplicates: async ({ span }) => repeatedRows(span),
}
