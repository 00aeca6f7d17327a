import type { QueryClient } from '@tanstack/react-query'
import { getComplianceSummary } from '#contract/compliance.ts'
import { getFeeSummary } from '#contract/fees.ts'
import { listLayers } from '#contract/geography.ts'
import { getMdsStatus } from '#contract/health.ts'
import { listIncidents } from '#contract/incidents.ts'
import { queryMetrics } from '#contract/metrics.ts'
import { listOperators } from '#contract/operators.ts'
import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import { getRegion } from '#contract/regions.ts'
import { feesOfMonth } from '#web/billing/fees-of-month.ts'
import { now } from '#web/data/clock.ts'
import { endpointQuery, prefetch } from '#web/data/query.ts'
import { periodBefore } from '#web/filters/comparison.ts'
import type { Period } from '#web/filters/period.ts'
import { enumParam, searchParams } from '#web/shell/search-params.ts'
import { homeMetricsBody } from './home-tiles.ts'

const dayCounts = { yesterday: 1, last_7_days: 7, last_30_days: 30 } as const
export const homePeriods = ['yesterday', 'last_7_days', 'last_30_days'] as const
type HomePeriod = (typeof homePeriods)[number]
export const defaultHomePeriod: HomePeriod = 'last_7_days'
export const readHomeSearch = searchParams({ period: enumParam(homePeriods, defaultHomePeriod) })

/** Returns the complete days of a period, up to yesterday. */
export function homePeriod(period: HomePeriod, today: LocalDay): Period {
  const yesterday = dayNumber(today) - 1
  return { start_date: dayFromNumber(yesterday - dayCounts[period] + 1), end_date: dayFromNumber(yesterday) }
}

/** Returns the measures of the tiles in a period, by day or in total. */
export const homeMetrics = (regionId: string, period: Period, compared: Period | null, isByDay: boolean) =>
  endpointQuery(queryMetrics, {
    params: { region_id: regionId },
    body: homeMetricsBody(period, compared, isByDay),
  })

/** Returns the request of the compliance of a period. */
export const complianceQuery = (regionId: string, { start_date, end_date }: Period) => ({
  params: { region_id: regionId },
  query: { startDate: start_date, endDate: end_date },
})

/** Maximum number of feeds, incidents or policies in a panel. */
export const maxListed = 5
/** Returns the request of the latest open incidents. */
export const openIncidents = (regionId: string) => ({
  params: { region_id: regionId },
  query: { state: 'open' as const, size: maxListed },
})

/** Prefetches what Home needs first. */
export async function prefetchHome(client: QueryClient, regionId: string): Promise<unknown> {
  const params = { region_id: regionId }
  const lists = [
    prefetch(client, listLayers, { params }),
    prefetch(client, listOperators, { query: params }),
    prefetch(client, getMdsStatus, { params }),
    prefetch(client, listIncidents, openIncidents(regionId)),
  ]
  const { timezone } = await client.fetchQuery(endpointQuery(getRegion, { params }))
  const { period = defaultHomePeriod } = readHomeSearch(
    Object.fromEntries(new URLSearchParams(location.search)),
  )
  const today = localDay(new Date(now()), timezone)
  const shown = homePeriod(period, today)
  return Promise.all([
    ...lists,
    client.prefetchQuery(homeMetrics(regionId, shown, periodBefore(shown), true)),
    prefetch(client, getComplianceSummary, complianceQuery(regionId, shown)),
    ...[0, 1, 12].map((months) => prefetch(client, getFeeSummary, feesOfMonth(regionId, today, months))),
  ])
}
