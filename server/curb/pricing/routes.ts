import { getPublicRates } from '#contract/curb-price-proposals.ts'
import * as contract from '#contract/curb-pricing.ts'
import { checkParameters, PricingParameters, RateScenario } from '#contract/curb-pricing-parameters.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { type Route, route } from '#server/http/route.ts'
import { runBackTests } from './back-test.ts'
import {
  drawRows,
  getStaffIndex,
  PricingResults,
  readTileParameters,
  type ZoneValues,
} from './pricing-results.ts'
import type { Pricing } from './proposals/proposal-detail.ts'
import { priceProposalRoutes } from './proposals/routes.ts'
import { readPublicRates } from './public-rates.ts'
import { summarizeScenario } from './rate-scenario.ts'
import { filterRows, getPositions, getPageOfRows, sortRows, summarize } from './rate-rows.ts'

/** Declares the routes of the pricing engine, of rate proposals, and of the public rate table. */
export function curbPricingRoutes(pricing: Pricing): Route[] {
  const { indexes, readOccupancy } = pricing
  const results = new PricingResults(indexes, readOccupancy)
  return [
    route(contract.queryOccupancyTarget, async (call) => {
      const { body } = call
      const { rows } = await results.getOccupancyTarget(call, body.parameters)
      return getPageOfRows(sortRows(filterRows(rows, body), body.sort, getPositions(body.parameters)), body)
    }),
    route(contract.sumOccupancyTarget, async (call) => {
      const { parameters, elasticity } = call.body
      const { rows, index } = await results.getOccupancyTarget(call, parameters)
      return summarize(filterRows(rows, call.body), parameters, index.currency, elasticity)
    }),
    route(contract.getOccupancyTargetTile, async (call) => {
      const parameters = readTileParameters(PricingParameters, call.query.parameters)
      const { rows, index } = await results.getOccupancyTarget(call, parameters)
      const values = filterRows(rows, call.query).map(toTargetValues)
      return sendTile(await drawRows(index, call.at.getTime(), values, call.params), call.headers, 'changing')
    }),
    route(contract.queryRateTarget, async (call) => {
      const { scenario, band, day_type, text, sort, ...page } = call.body
      const { rows } = await results.getRateTarget(call, scenario)
      const filteredRows = filterRows(rows, { band, day_type, text })
      return getPageOfRows(sortRows(filteredRows, sort, getPositions(scenario)), page)
    }),
    route(contract.sumRateTarget, async (call) => {
      const { scenario, band, day_type, text } = call.body
      const { rows, index } = await results.getRateTarget(call, scenario)
      const filteredRows = filterRows(rows, { band, day_type, text })
      return { currency: index.currency, ...summarizeScenario(filteredRows, scenario.elasticity) }
    }),
    route(contract.getRateTargetTile, async (call) => {
      const scenario = readTileParameters(RateScenario, call.query.parameters)
      const { rows, index } = await results.getRateTarget(call, scenario)
      const values = filterRows(rows, call.query).map(toScenarioValues)
      return sendTile(await drawRows(index, call.at.getTime(), values, call.params), call.headers, 'changing')
    }),
    route(contract.backTestPricing, async ({ viewer, params, body, signal }) => {
      const index = await getStaffIndex(indexes, viewer, params.region_id)
      return runBackTests(readOccupancy, index, { scope: viewer.scope, signal }, body)
    }),
    route(contract.checkPricingParameters, async ({ viewer, params, body }) => {
      await getStaffIndex(indexes, viewer, params.region_id)
      return { errors: checkParameters(body.parameters) }
    }),
    ...priceProposalRoutes(pricing),
    route(getPublicRates, (call) => readPublicRates(pricing, call)),
  ]
}

const toTargetValues = (row: contract.PricingRow): ZoneValues => ({
  curb_zone_id: row.curb_zone_id,
  values: {
    current_rate: row.current_rate,
    proposed_rate: row.proposed_rate,
    change:
      row.proposed_rate === null || row.current_rate === null ? null : row.proposed_rate - row.current_rate,
    occupancy: row.occupancy,
    outcome: contract.getRowOutcome(row),
  },
})

const toScenarioValues = (row: contract.RateTargetRow): ZoneValues => ({
  curb_zone_id: row.curb_zone_id,
  values: {
    current_rate: row.current_rate,
    new_rate: row.new_rate,
    occupancy: row.occupancy,
    expected: row.expected,
  },
})
