import * as contract from '#contract/fees.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { readFees } from './charges/fees-with-charges.ts'
import type { FeeSource } from './fee-source.ts'
import type { PolicyFees } from './fee-days/policy-fees.ts'
import { forecastMonth, summarizeFees } from './fee-summary.ts'

/** Routes of fees. */
export function feeRoutes(fees: PolicyFees, payers: Pick<FeeSource, 'fees'>, state: State): Route[] {
  return [
    route(contract.getFeeSummary, ({ viewer, at, ...request }) =>
      summarizeFees(fees, state, viewer, request, at),
    ),
    route(contract.getFees, async ({ viewer: { scope }, params, query: { operator, ...period }, at }) => {
      const question = { regionId: params.region_id, operator, period, now: at.getTime() }
      return (await readFees(state.as(scope), payers, scope, question, false)).fees
    }),
    route(contract.forecastFees, ({ viewer, at, ...request }) =>
      forecastMonth(fees, state, viewer, request, at),
    ),
    route(contract.tryFees, ({ viewer, at, signal, ...request }) =>
      fees.tryOut(viewer.scope, request, at, signal),
    ),
    route(contract.listFeeFacts, ({ viewer, at, signal, ...request }) =>
      fees.facts(viewer, request, at, signal),
    ),
  ]
}
