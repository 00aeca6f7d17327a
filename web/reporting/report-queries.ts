import {
  type DistributedValue,
  type MeasureKey,
  type MetricDimension,
  queryDistribution,
  queryMetrics,
} from '#contract/metrics.ts'
import { endpointQuery } from '#web/data/query.ts'
import { comparedPeriod } from '#web/filters/comparison.ts'
import { type ReportContext, type ReportSearch, toSelection } from './report-search.ts'

/** Returns the request for the distribution of a value over bins with edges in the API's unit. */
export const distributionQuery = (
  context: ReportContext,
  search: ReportSearch,
  { value, bins, group }: { value: DistributedValue; bins: readonly number[]; group: MetricDimension | null },
) =>
  endpointQuery(queryDistribution, {
    params: { region_id: context.region.regionId },
    body: { value, bins: [...bins], group_by: group, ...toSelection(context, search) },
  })

/** Returns the request for measures by dimensions, for the selection of the URL. */
export function metricsQuery(
  context: ReportContext,
  search: ReportSearch,
  measures: readonly MeasureKey[],
  dimensions: readonly MetricDimension[] = [],
) {
  const compared = comparedPeriod(search)
  return endpointQuery(queryMetrics, {
    params: { region_id: context.region.regionId },
    body: {
      measures: [...measures],
      dimensions: [...dimensions],
      ...toSelection(context, search),
      compare_start_date: compared?.start_date ?? null,
      compare_end_date: compared?.end_date ?? null,
      ...(search.parking_limit === undefined ? {} : { parking_limit: search.parking_limit }),
    },
  })
}

interface Query<Data> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>
}

/** Combines several queries into one that returns each response under its name. */
export const combineQueries = <Responses extends object>(queries: {
  [Name in keyof Responses]: Query<Responses[Name]>
}): Query<Responses> => ({
  queryKey: Object.values<Query<unknown>>(queries).map(({ queryKey }) => queryKey),
  queryFn: async (context) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries<Query<unknown>>(queries).map(async ([name, { queryFn }]) => [
          name,
          await queryFn(context),
        ]),
      ),
    ) as Responses,
})
