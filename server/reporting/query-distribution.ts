import {
  distributedValues,
  type Distribution,
  type DistributionResponse,
  type DistributionQuestion,
  type MetricDimension,
} from '#contract/metrics.ts'
import {
  type BinRow,
  type DistributionRow,
  ReportReader,
  type ReportSelection,
} from '#server/fleet/reports/read-report-facts.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import { createQuerySignal, readDerivedDays, type MetricsCaller, getSettledMs } from './query-metrics.ts'

/** Maximum size of the cache, in numbers. */
const maxCachedValues = 1_000_000
/** Numbers of a distribution besides its counts: the key, `n` and the figures from `mean` to `max`. */
const valuesBesideCounts = 8

/** Caches distributions by question and version of the facts. */
export class DistributionCache extends ComputedCache<Omit<DistributionResponse, 'pending_days'>> {
  constructor() {
    super({
      maxSize: maxCachedValues,
      getSize: ({ groups, total }) => (groups.length + 1) * (total.counts.length + valuesBesideCounts),
    })
  }
}

/** Returns how a value is distributed. @throws Problem if days of the period were never derived. */
export async function queryDistribution(
  { facts, reports, cache }: { facts: Facts; reports: ReportFacts; cache: DistributionCache },
  { scope, region }: Omit<MetricsCaller, 'at'>,
  question: DistributionQuestion,
): Promise<DistributionResponse> {
  const reader = new ReportReader(facts, scope, region, createQuerySignal())
  const { asOf, version, pendingDays } = await readDerivedDays(reports, region, question.start_date, question)
  const key = [
    region.regionId,
    JSON.stringify(scope.operators ?? null),
    JSON.stringify(question),
    version,
    question.value === 'parked_duration' ? getSettledMs(asOf) : 0,
  ].join(' ')
  const distribution = await cache.get(key, () => readDistribution(reader, question, getSettledMs(asOf)))
  return { ...distribution, pending_days: pendingDays }
}

/** Reads the distribution of a value in a period, by group and in total. */
async function readDistribution(
  reader: ReportReader,
  question: DistributionQuestion,
  now: number,
): Promise<Omit<DistributionResponse, 'pending_days'>> {
  const { value, bins, group_by: group } = question
  const selection: ReportSelection = {
    first: question.start_date,
    last: question.end_date,
    operators: question.operators,
    vehicleTypes: question.vehicle_types,
    weekdays: question.days,
    hours: question.hour_filters,
  }
  const scale = storedPerUnit[value]
  const [[rows, counts], [sums]] = await Promise.all([
    reader.readDistribution(selection, group === null ? [] : [group], {
      value,
      bins: bins.map((bin) => bin * scale),
      now,
    }),
    value === 'parked_duration' ? [] : reader.readSums(selection, [], new Set()),
  ])
  const distributions = groupDistributions([rows, counts], bins.length, scale)
  const total = { ...(distributions.get(getTotalKey(group)) ?? makeEmptyDistribution(bins.length)), key: '' }
  return {
    unit: distributedValues[value],
    groups:
      group === null
        ? []
        : [...distributions].flatMap(([key, distribution]) =>
            key === getTotalKey(group) ? [] : [distribution],
          ),
    total,
    excluded: value === 'parked_duration' ? 0 : Number(sums?.trip_count ?? 0) - total.n,
  }
}

/** Factors from units of the API to stored units: m to mm, s to ms. */
const storedPerUnit = {
  trip_distance: 1000,
  trip_duration: 1000,
  trip_speed: 1,
  parked_duration: 1000,
} as const

const makeEmptyDistribution = (bins: number): Distribution => ({
  key: '',
  n: 0,
  counts: Array.from({ length: bins }, () => 0),
  mean: null,
  min: null,
  lower_quartile: null,
  median: null,
  upper_quartile: null,
  p90: null,
  max: null,
})

/** Returns the key of the total: undefined in a question with groups, empty in one without. */
const getTotalKey = (group: MetricDimension | null): string | undefined => (group === null ? '' : undefined)

/** Groups distributions by the key of the group, converted from stored units. */
function groupDistributions(
  [rows, counts]: readonly [readonly DistributionRow[], readonly BinRow[]],
  bins: number,
  scale: number,
): Map<string | undefined, Distribution> {
  const distributions = new Map(
    rows.map(({ keys: [key], n, mean, quantiles }) => {
      const [min, lower, median, upper, p90, max] = quantiles.map((quantile) => quantile / scale)
      return [
        key,
        {
          ...makeEmptyDistribution(bins),
          key: key ?? '',
          n: Number(n),
          mean: mean / scale,
          min: min!,
          lower_quartile: lower!,
          median: median!,
          upper_quartile: upper!,
          p90: p90!,
          max: max!,
        },
      ]
    }),
  )
  for (const {
    keys: [key],
    bin,
    n,
  } of counts) {
    const distribution = distributions.get(key)
    if (distribution) distribution.counts[bin - 1] = Number(n)
  }
  return distributions
}
