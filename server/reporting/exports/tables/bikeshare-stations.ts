import { stationDefaults } from '#contract/bikeshare.ts'
import { dayFromNumber, dayNumber, type LocalDay, startOfMonth } from '#contract/period.ts'
import { hasFeature } from '#server/identity/feature-flags.ts'
import { todayOf } from '#server/policies/today-of.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { stationReport } from '../../bikeshare/station-report.ts'
import { type StateSource, uncounted } from './export-source.ts'

/** The months of a period, each cut to it. */
function monthsOf(first: LocalDay, last: LocalDay): { start_date: LocalDay; end_date: LocalDay }[] {
  const months = []
  for (let start = first; start <= last;) {
    const next = startOfMonth(start, -1)
    const end = dayFromNumber(dayNumber(next) - 1)
    months.push({ start_date: start, end_date: end < last ? end : last })
    start = next
  }
  return months
}

/** The bikeshare station report by month, with its default window and tolerance; without rows where its flag is off. */
export const bikeshareStations: StateSource = {
  kind: 'state',
  async *rows(
    { state, facts, scope, at, signal = new AbortController().signal },
    { regionId, period, operators },
  ) {
    const region = await findRegion(state, scope, regionId)
    if (!period || !(await hasFeature(state, scope, region.organizationId, 'bikeshareStationReport'))) return
    const today = todayOf(region, at)
    for (const month of monthsOf(period.first, period.last < today ? period.last : today)) {
      const { stations } = await stationReport(
        facts,
        { scope, region, at, signal },
        { ...stationDefaults, ...month, ...(operators.length ? { operators: operators.join(',') } : {}) },
      )
      yield stations.map((station) => ({ ...station, ...month }))
    }
  },
  // What a month holds is known once it is measured.
  count: async () => uncounted,
}
