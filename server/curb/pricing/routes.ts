import * as proposals from '#contract/curb-price-proposals.ts'
import * as contract from '#contract/curb-pricing.ts'
import { checkParameters, PricingParameters, RateScenario } from '#contract/curb-pricing-parameters.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { backTest } from './back-test.ts'
import { drawRows, PricingResults, readTileParameters } from './pricing-results.ts'
import { readEffectReport } from './proposals/effect-report.ts'
import * as manage from './proposals/manage-proposals.ts'
import {
  findProposal,
  readPricingSettings,
  readRows,
  writePricingSettings,
} from './proposals/proposal-store.ts'
import { readPublicRates } from './public-rates.ts'
import { meanByCapacity, estimateRevenue } from './rate-scenario.ts'
import { filterRows, getPositions, pageRows, sortRows, summarize } from './rate-rows.ts'

/** Routes of the pricing engine, of rate proposals, and of the public rate table. */
export function curbPricingRoutes(pricing: manage.Pricing): Route[] {
  const { state, indexes, readOccupancy } = pricing
  const results = new PricingResults(indexes, readOccupancy)
  /** Returns the viewer. Throws for accounts of operators, and for regions that the viewer may not see. */
  const requireStaff = async (viewer: Viewer, regionId: string): Promise<Viewer> => {
    await results.getIndex(viewer, regionId)
    return viewer
  }
  return [
    route(contract.queryOccupancyTarget, async ({ viewer, params, body, at }) => {
      const { rows } = await results.getOccupancyTarget(viewer, params.region_id, body.parameters, at)
      return pageRows(sortRows(filterRows(rows, body), body.sort, getPositions(body.parameters)), body)
    }),
    route(contract.sumOccupancyTarget, async ({ viewer, params, body, at }) => {
      const { parameters, elasticity } = body
      const { rows, index } = await results.getOccupancyTarget(viewer, params.region_id, parameters, at)
      return summarize(filterRows(rows, body), parameters, index.currency, elasticity)
    }),
    route(contract.getOccupancyTargetTile, async ({ viewer, params, query, headers, at }) => {
      const parameters = readTileParameters(PricingParameters, query.parameters)
      const { rows, index } = await results.getOccupancyTarget(viewer, params.region_id, parameters, at)
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
      const { rows } = await results.getRateTarget(viewer, params.region_id, body.scenario, at)
      const filter = { band: body.band, day_type: body.day_type, text: body.text }
      return pageRows(sortRows(filterRows(rows, filter), body.sort, getPositions(body.scenario)), body)
    }),
    route(contract.sumRateTarget, async ({ viewer, params, body, at }) => {
      const { rows, index } = await results.getRateTarget(viewer, params.region_id, body.scenario, at)
      const shown = filterRows(rows, { band: body.band, day_type: body.day_type, text: body.text })
      const evaluated = shown.filter((row) => row.expected !== null)
      return {
        currency: index.currency,
        rows: shown.length,
        refused: shown.length - evaluated.length,
        occupancy: meanByCapacity(evaluated, (row) => row.occupancy),
        expected: meanByCapacity(evaluated, (row) => row.expected),
        low: meanByCapacity(evaluated, (row) => row.low),
        high: meanByCapacity(evaluated, (row) => row.high),
        revenue: estimateRevenue(
          evaluated.map((row) => ({ ...row, next: row.new_rate })),
          body.scenario.elasticity,
        ),
      }
    }),
    route(contract.getRateTargetTile, async ({ viewer, params, query, headers, at }) => {
      const scenario = readTileParameters(RateScenario, query.parameters)
      const { rows, index } = await results.getRateTarget(viewer, params.region_id, scenario, at)
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
      const index = await results.getIndex(viewer, params.region_id)
      return backTest(readOccupancy, index, { scope: viewer.scope, signal }, body)
    }),
    route(contract.checkPricingParameters, async ({ viewer, params, body }) => {
      await requireStaff(viewer, params.region_id)
      return { errors: checkParameters(body.parameters) }
    }),
    route(proposals.getPricingSettings, async ({ viewer, params: { region_id: id } }) =>
      readPricingSettings(state.as((await requireStaff(viewer, id)).scope), id),
    ),
    route(proposals.changePricingSettings, async ({ viewer, params: { region_id: id }, body }) =>
      writePricingSettings(state.as((await requireStaff(viewer, id)).scope), id, body),
    ),
    route(proposals.listPriceProposals, async ({ viewer, params: { region_id: id } }) => ({
      items: await manage.listProposals(pricing, (await requireStaff(viewer, id)).scope, id),
    })),
    route(proposals.createPriceProposal, async ({ viewer, params: { region_id: id }, body, at, signal }) =>
      manage.createProposal(
        pricing,
        { actor: await requireStaff(viewer, id), regionId: id, at, signal },
        body,
      ),
    ),
    route(proposals.getPriceProposal, async ({ viewer, params: { region_id: id, proposal_id }, at }) =>
      manage.findDetail(pricing, {
        actor: await requireStaff(viewer, id),
        regionId: id,
        id: proposal_id,
        at,
      }),
    ),
    route(proposals.listProposalRows, async ({ viewer, params: { region_id: id, proposal_id }, body }) => {
      const store = state.as((await requireStaff(viewer, id)).scope)
      const proposal = await findProposal(store, id, proposal_id)
      const rows = await readRows(store, proposal)
      const edited = body.is_edited ? rows.filter(({ edit }) => edit !== null) : rows
      return pageRows(sortRows(filterRows(edited, body), body.sort, getPositions(proposal.parameters)), body)
    }),
    route(proposals.editPriceProposal, async ({ viewer, params: { region_id: id, proposal_id }, body, at }) =>
      manage.editProposal(
        pricing,
        { actor: await requireStaff(viewer, id), regionId: id, id: proposal_id, at },
        body.edits,
      ),
    ),
    route(
      proposals.approvePriceProposal,
      async ({ viewer, params: { region_id: id, proposal_id }, body, at }) =>
        manage.approveProposal(
          pricing,
          { actor: await requireStaff(viewer, id), regionId: id, id: proposal_id, at },
          body,
        ),
    ),
    route(
      proposals.withdrawPriceProposal,
      async ({ viewer, params: { region_id: id, proposal_id }, body, at }) =>
        manage.withdrawProposal(
          pricing,
          { actor: await requireStaff(viewer, id), regionId: id, id: proposal_id, at },
          body.reason,
        ),
    ),
    route(proposals.getEffectReport, async ({ viewer, params: { region_id: id, proposal_id }, at, signal }) =>
      readEffectReport(pricing, {
        scope: (await requireStaff(viewer, id)).scope,
        regionId: id,
        id: proposal_id,
        at,
        signal,
      }),
    ),
    route(proposals.getPublicRates, ({ params, query, at }) =>
      readPublicRates(pricing, params.region_id, query, at),
    ),
  ]
}
