import * as contract from '#contract/curb-price-proposals.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { getStaffIndex } from '../pricing-results.ts'
import { filterRows, getPositions, pageRows, sortRows } from '../rate-rows.ts'
import { readEffectReport } from './effect-report.ts'
import { approveProposal, createProposal, editProposal, withdrawProposal } from './manage-proposals.ts'
import { findDetail, listProposals, type Pricing } from './proposal-detail.ts'
import { findProposal, readPricingSettings, readRows, writePricingSettings } from './proposal-store.ts'

interface StaffCall {
  viewer: Viewer
  params: { region_id: string }
}

/** Routes of rate proposals and of the settings that limit them. */
export function priceProposalRoutes(pricing: Pricing): Route[] {
  const { state, indexes } = pricing
  /** Throws for accounts of operators, and for regions that the viewer may not see. */
  const requireStaff = async ({ viewer, params }: StaffCall): Promise<void> => {
    await getStaffIndex(indexes, viewer, params.region_id)
  }
  return [
    route(contract.getPricingSettings, async (call) => {
      await requireStaff(call)
      return readPricingSettings(state.as(call.viewer.scope), call.params.region_id)
    }),
    route(contract.changePricingSettings, async (call) => {
      await requireStaff(call)
      return writePricingSettings(state.as(call.viewer.scope), call.params.region_id, call.body)
    }),
    route(contract.listPriceProposals, async (call) => {
      await requireStaff(call)
      return { items: await listProposals(pricing, call.viewer.scope, call.params.region_id) }
    }),
    route(contract.createPriceProposal, async (call) => {
      await requireStaff(call)
      return createProposal(pricing, call)
    }),
    route(contract.getPriceProposal, async (call) => {
      await requireStaff(call)
      return findDetail(pricing, call)
    }),
    route(contract.listProposalRows, async (call) => {
      await requireStaff(call)
      const { viewer, params, body } = call
      const store = state.as(viewer.scope)
      const proposal = await findProposal(store, params.region_id, params.proposal_id)
      const rows = await readRows(store, proposal)
      const edited = body.is_edited ? rows.filter(({ edit }) => edit !== null) : rows
      return pageRows(sortRows(filterRows(edited, body), body.sort, getPositions(proposal.parameters)), body)
    }),
    route(contract.editPriceProposal, async (call) => {
      await requireStaff(call)
      return editProposal(pricing, call)
    }),
    route(contract.approvePriceProposal, async (call) => {
      await requireStaff(call)
      return approveProposal(pricing, call)
    }),
    route(contract.withdrawPriceProposal, async (call) => {
      await requireStaff(call)
      return withdrawProposal(pricing, call)
    }),
    route(contract.getEffectReport, async (call) => {
      await requireStaff(call)
      return readEffectReport(pricing, call)
    }),
  ]
}
