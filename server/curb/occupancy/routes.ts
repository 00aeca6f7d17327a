import * as calibration from '#contract/curb-calibration.ts'
import * as contract from '#contract/curb-occupancy.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { refuseOperators } from '../sessions/query-curb-metrics.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { createCalibration, listCalibrations, recordChange } from './calibrations.ts'
import { readDataTypes } from './data-types.ts'
import { writeOccupancyCsv } from './occupancy-csv.ts'
import { type OccupancyCall, OccupancyResults } from './occupancy-results.ts'
import type { OccupancyStores } from './read-days.ts'

/** Declares the routes of occupancy of curb zones, and of calibrations of paid by counted occupancy. */
export function occupancyRoutes(stores: OccupancyStores & { indexes: CurbIndexes }): Route[] {
  const { state } = stores
  const results = new OccupancyResults(stores)
  /** Returns the local day of a call. @throws Problem for accounts of operators. */
  const getToday = async ({ viewer: { scope }, params, at }: OccupancyCall): Promise<LocalDay> => {
    refuseOperators(scope)
    const { timezone } = await findRegion(state, scope, params.region_id)
    return localDay(at, timezone)
  }
  return [
    route(contract.getOccupancy, async (call) => (await results.get(call)).result),
    route(contract.exportOccupancy, async (call) => {
      const { result } = await results.get(call)
      return new RawResponse(Buffer.from(writeOccupancyCsv(result)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="curb-occupancy-${result.kind}-${result.start_date}-${result.end_date}.csv"`,
      })
    }),
    route(contract.getOccupancyTile, (call) => results.getTile(call)),
    route(contract.getParkingInsightsTile, (call) => results.getTile(call)),
    route(contract.getParkingInsightsStatistics, async (call) => {
      const { result } = await results.get(call)
      const { kind, total, targets, unknown_zones, zones } = result
      return {
        kind,
        total,
        targets,
        unknown_zones,
        zones: zones.length,
        zones_over: zones.filter(({ is_over: isOver }) => isOver).length,
      }
    }),
    route(contract.getParkingInsightsLegend, async (call) => createLegend((await results.get(call)).result)),
    route(contract.getOccupancyDataTypes, async (call) =>
      readDataTypes(stores, await results.createReader(call)),
    ),
    route(contract.getInsightsDataTypes, async (call) =>
      readDataTypes(stores, await results.createReader(call)),
    ),
    route(calibration.listCalibrations, async (call) => {
      const today = await getToday(call)
      return { items: await listCalibrations(state.as(call.viewer.scope), call.params.region_id, today) }
    }),
    route(calibration.createCalibration, async (call) =>
      createCalibration(stores, { ...call, today: await getToday(call) }),
    ),
    route(calibration.recordCurbChange, async (call) => ({
      items: await recordChange(stores, { ...call, today: await getToday(call) }),
    })),
  ]
}

/** Lower bounds of the classes of the legend; the last class is above 100%. */
const legendSteps = [0, 0.2, 0.4, 0.6, 0.8, 1]

/** Counts zones by class of occupancy. */
function createLegend({ zones, v }: contract.OccupancyResponse) {
  const values = zones.map(({ occupancy }) => occupancy)
  const bins = legendSteps.map((from, i) => {
    const to = legendSteps[i + 1] ?? null
    const isInBin = (value: number | null): boolean =>
      value !== null &&
      // 100% belongs to the class that ends there.
      (to === null ? value > from : value >= from && (value < to || (to === 1 && value === 1)))
    return { from, to, count: values.filter(isInBin).length }
  })
  return { bins, none: values.filter((value) => value === null).length, v }
}
