import * as proposals from '#contract/curb-price-proposals.ts'
import * as contract from '#contract/curb-pricing.ts'
import { checkParameters, PricingParameters, RateScenario } from '#contract/curb-pricing-parameters.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { backTest } from './back-test.ts'
import { drawRows, PricingAnswers, readTileParameters } from './pricing-answers.ts'
import { effectReport } from './proposals/effect-report.ts'
import * as manage from './proposals/manage-proposals.ts'
import {
  findProposal,
  readPricingSettings,
  readRows,
  writePricingSettings,
} from './proposals/proposal-store.ts'
import { publicRates } from './public-rates.ts'
import { meanByCapacity, revenueOf } from './rate-scenario.ts'
import { filterRows, orderOf, pageRows, sortRows, summarize } from './rate-rows.ts'

/** The pricing engine, proposals of rates, and the public rate table. */
export function curbPricingRoutes(pricing: manage.Pricing): Route[] {
  const { state, indexes, readOccupancy } = pricing
  const answers = new PricingAnswers(indexes, readOccupancy)
  /** Throws for accounts of operators and other regions. */
  const check = async (viewer: Viewer, regionId: string): Promise<Viewer> => {
    await answers.indexFor(viewer, regionId)
    return viewer
  }
  return [
    route(contract.queryOccupancyTarget, async ({ viewer, params, body, at }) => {
      const { rows } = await answers.occupancyTarget(viewer, params.region_id, body.parameters, at)
      return pageRows(sortRows(filterRows(rows, body), body.sort, orderOf(body.parameters)), body)
    }),
    route(contract.sumOccupancyTarget, async ({ viewer, params, body, at }) => {
      const { parameters, elasticity } = body
      const { rows, index } = await answers.occupancyTarget(viewer, params.region_id, parameters, at)
      return summarize(filterRows(rows, body), parameters, index.currency, elasticity)
    }),
    route(contract.getOccupancyTargetTile, async ({ viewer, params, query, headers, at }) => {
      const parameters = readTileParameters(PricingParameters, query.parameters)
      const { rows, index } = await answers.occupancyTarget(viewer, params.region_id, parameters, at)
      const shown = filterRows(rows, query).map((row) => ({
        curb_zone_id: row.curb_zone_id,
        values: {
          current_rate: row.current_rate,
          proposed_rate: row.proposed_rate,
          change:
            row.proposed_rate === null || row.current_rate === null
              ? null
              : row.proposed_rate - row.current_rate,
          occupancy: row.occupancy,
          outcome: contract.getRowOutcome(row),
        },
      }))
      return sendTile(await drawRows(index, at.getTime(), shown, params), headers, 'changing')
    }),
    route(contract.queryRateTarget, async ({ viewer, params, body, at }) => {
      const { rows } = await answers.rateTarget(viewer, params.region_id, body.scenario, at)
      const filter = { band: body.band, day_type: body.day_type, text: body.text }
      return pageRows(sortRows(filterRows(rows, filter), body.sort, orderOf(body.scenario)), body)
    }),
    route(contract.sumRateTarget, async ({ viewer, params, body, at }) => {
      const { rows, index } = await answers.rateTarget(viewer, params.region_id, body.scenario, at)
      const shown = filterRows(rows, { band: body.band, day_type: body.day_type, text: body.text })
      const answered = shown.filter((row) => row.expected !== null)
      return {
        currency: index.currency,
        rows: shown.length,
        refused: shown.length - answered.length,
        occupancy: meanByCapacity(answered, (row) => row.occupancy),
        expected: meanByCapacity(answered, (row) => row.expected),
        low: meanByCapacity(answered, (row) => row.low),
        high: meanByCapacity(answered, (row) => row.high),
        revenue: revenueOf(
          answered.map((row) => ({ ...row, next: row.new_rate })),
          body.scenario.elasticity,
        ),
      }
    }),
    route(contract.getRateTargetTile, async ({ viewer, params, query, headers, at }) => {
      const scenario = readTileParameters(RateScenario, query.parameters)
      const { rows, index } = await answers.rateTarget(viewer, params.region_id, scenario, at)
      const shown = filterRows(rows, query).map((row) => ({
        curb_zone_id: row.curb_zone_id,
        values: {
          current_rate: row.current_rate,
          new_rate: row.new_rate,
          occupancy: row.occupancy,
          expected: row.expected,
        },
      }))
      return sendTile(await drawRows(index, at.getTime(), shown, params), headers, 'changing')
    }),
    route(contract.backTestPricing, async ({ viewer, params, body, signal }) => {
      const index = await answers.indexFor(viewer, params.region_id)
      return backTest(readOccupancy, index, viewer.scope, body, signal)
    }),
    route(contract.checkPricingParameters, async ({ viewer, params, body }) => {
      await check(viewer, params.region_id)
      return { errors: checkParameters(body.parameters) }
    }),
    route(proposals.getPricingSettings, async ({ viewer, params: { region_id: id } }) =>
      readPricingSettings(state.as((await check(viewer, id)).scope), id),
    ),
    route(proposals.changePricingSettings, async ({ viewer, params: { region_id: id }, body }) =>
      writePricingSettings(state.as((await check(viewer, id)).scope), id, body),
    ),
    route(proposals.listPriceProposals, async ({ viewer, params: { region_id: id } }) => ({
      items: await manage.listProposals(pricing, (await check(viewer, id)).scope, id),
    })),
    route(proposals.createPriceProposal, async ({ viewer, params: { region_id: id }, body, at, signal }) =>
      manage.createProposal(pricing, await check(viewer, id), id, body, at, signal),
    ),
    route(proposals.getPriceProposal, async ({ viewer, params: { region_id: id, proposal_id }, at }) =>
      manage.findDetail(pricing, await check(viewer, id), id, proposal_id, at),
    ),
    route(proposals.listProposalRows, async ({ viewer, params: { region_id: id, proposal_id }, body }) => {
      const store = state.as((await check(viewer, id)).scope)
      const proposal = await findProposal(store, id, proposal_id)
      const rows = await readRows(store, proposal)
      const edited = body.is_edited ? rows.filter(({ edit }) => edit !== null) : rows
      return pageRows(sortRows(filterRows(edited, body), body.sort, orderOf(proposal.parameters)), body)
    }),
    route(proposals.editPriceProposal, async ({ viewer, params: { region_id: id, proposal_id }, body, at }) =>
      manage.editProposal(pricing, await check(viewer, id), id, proposal_id, body.edits, at),
    ),
    route(
      proposals.approvePriceProposal,
      async ({ viewer, params: { region_id: id, proposal_id }, body, at }) =>
        manage.approveProposal(pricing, await check(viewer, id), id, proposal_id, body, at),
    ),
    route(
      proposals.withdrawPriceProposal,
      async ({ viewer, params: { region_id: id, proposal_id }, body, at }) =>
        manage.withdrawProposal(pricing, await check(viewer, id), id, proposal_id, body.reason, at),
    ),
    route(proposals.getEffectReport, async ({ viewer, params: { region_id: id, proposal_id }, at, signal }) =>
      effectReport(pricing, (await check(viewer, id)).scope, id, proposal_id, at, signal),
    ),
    route(proposals.getPublicRates, ({ params, query, at }) =>
      publicRates(pricing, params.region_id, query, at),
    ),
  ]
}
