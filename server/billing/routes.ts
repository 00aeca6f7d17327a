import * as contract from '#contract/fees.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { readFees } from './charges/fees-with-charges.ts'
import type { FeeSource } from './fee-source.ts'
import type { PolicyFees } from './fee-days/policy-fees.ts'
import { forecastMonth, summarizeFees } from './fee-summary.ts'

/** Declares the routes of fees. `payers` are the fees of operators and curb accounts. */
export function feeRoutes(fees: PolicyFees, payers: Pick<FeeSource, 'computeFees'>, state: State): Route[] {
  return [
    route(contract.getFeeSummary, (call) => summarizeFees(fees, state, call)),
    route(contract.getFees, async ({ viewer: { scope }, params, query: { operator, ...period }, at }) => {
      const question = { regionId: params.region_id, operator, period, now: at.getTime() }
      const sources = { store: state.as(scope), fees: payers, scope }
      return (await readFees(sources, question, false)).fees
    }),
    route(contract.forecastFees, (call) => forecastMonth(fees, state, call)),
    route(contract.tryFees, (call) => fees.tryOut(call)),
    route(contract.listFeeFacts, (call) => fees.listFacts(call)),
  ]
}
