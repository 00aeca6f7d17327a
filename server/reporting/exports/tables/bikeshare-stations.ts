import { stationDefaults } from '#contract/bikeshare.ts'
import { splitByMonth } from '#contract/period.ts'
import { hasFeature } from '#server/identity/feature-flags.ts'
import { getToday } from '#server/policies/today-in.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { readStationReport } from '../../bikeshare/station-report.ts'
import { type StateSource, uncounted } from './export-source.ts'

/** The station report by month, with defaults; empty if the organization does not have it. */
export const bikeshareStations: StateSource = {
  kind: 'state',
  async *rows(
    { state, facts, scope, at, signal = new AbortController().signal },
    { regionId, period, operators },
  ) {
    const region = await findRegion(state, scope, regionId)
    if (!period || !(await hasFeature(state, scope, region.organizationId, 'bikeshareStationReport'))) return
    const today = getToday(region, at)
    const elapsedPeriod = { start_date: period.first, end_date: period.last < today ? period.last : today }
    for (const { start_date, end_date } of splitByMonth(elapsedPeriod)) {
      const { stations } = await readStationReport(
        facts,
        { scope, region, at, signal },
        {
          ...stationDefaults,
          start_date,
          end_date,
          ...(operators.length ? { operators: operators.join(',') } : {}),
        },
      )
      yield stations.map((station) => ({ ...station, start_date, end_date }))
    }
  },
  // Counting would mean computing the report.
  count: async () => uncounted,
}
