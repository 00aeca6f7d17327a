import * as contract from '#contract/curb-price-proposals.ts'
import { type Route, route, withCheck } from '#server/http/route.ts'
import { getStaffIndex } from '../pricing-results.ts'
import { filterRows, getPositions, getPageOfRows, sortRows } from '../rate-rows.ts'
import { readEffectReport } from './effect-report.ts'
import { approveProposal, createProposal, editProposal, withdrawProposal } from './manage-proposals.ts'
import { findDetail, listProposals, type Pricing } from './proposal-detail.ts'
import { findProposal, readPricingSettings, readRows, writePricingSettings } from './proposal-store.ts'

/** Declares the routes of rate proposals and of the settings that limit them, for city staff only. */
export function priceProposalRoutes(pricing: Pricing): Route[] {
  const { state, indexes } = pricing
  const routes = [
    route(contract.getPricingSettings, ({ viewer, params }) =>
      readPricingSettings(state.as(viewer.scope), params.region_id),
    ),
    route(contract.changePricingSettings, ({ viewer, params, body }) =>
      writePricingSettings(state.as(viewer.scope), params.region_id, body),
    ),
    route(contract.listPriceProposals, async ({ viewer, params }) => ({
      items: await listProposals(pricing, viewer.scope, params.region_id),
    })),
    route(contract.createPriceProposal, (call) => createProposal(pricing, call)),
    route(contract.getPriceProposal, (call) => findDetail(pricing, call)),
    route(contract.listProposalRows, async ({ viewer, params, body }) => {
      const store = state.as(viewer.scope)
      const proposal = await findProposal(store, params.region_id, params.proposal_id)
      const rows = await readRows(store, proposal)
      const editedRows = body.is_edited ? rows.filter(({ edit }) => edit !== null) : rows
      const positions = getPositions(proposal.parameters)
      return getPageOfRows(sortRows(filterRows(editedRows, body), body.sort, positions), body)
    }),
    route(contract.editPriceProposal, (call) => editProposal(pricing, call)),
    route(contract.approvePriceProposal, (call) => approveProposal(pricing, call)),
    route(contract.withdrawPriceProposal, (call) => withdrawProposal(pricing, call)),
    route(contract.getEffectReport, (call) => readEffectReport(pricing, call)),
  ]
  return withCheck(routes, async ({ viewer, params }) => {
    await getStaffIndex(indexes, viewer, (params as { region_id: string }).region_id)
  })
}
