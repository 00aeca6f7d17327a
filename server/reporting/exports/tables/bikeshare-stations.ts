import { stationDefaults } from '#contract/bikeshare.ts'
import { splitByMonth } from '#contract/period.ts'
import { hasFeature } from '#server/identity/feature-flags.ts'
import { todayOf } from '#server/policies/today-of.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { stationReport } from '../../bikeshare/station-report.ts'
import { type StateSource, uncounted } from './export-source.ts'

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
    const passed = { start_date: period.first, end_date: period.last < today ? period.last : today }
    for (const { start_date, end_date } of splitByMonth(passed)) {
      const { stations } = await stationReport(
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
  // What a month holds is known once it is measured.
  count: async () => uncounted,
}
