import * as contract from '#contract/fees.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { readFees } from './charges/fees-with-charges.ts'
import type { FeeSource } from './fee-source.ts'
import type { PolicyFees } from './fee-days/open-fees.ts'
import { forecastMonth, summarizeFees } from './fee-summary.ts'

/** The calls of fees. */
export function feeRoutes(fees: PolicyFees, payers: Pick<FeeSource, 'fees'>, state: State): Route[] {
  return [
    route(contract.getFeeSummary, ({ viewer, at, ...asked }) =>
      summarizeFees(fees, state, viewer, asked, at),
    ),
    route(contract.getFees, async ({ viewer: { scope }, params, query: { operator, ...period }, at }) => {
      const question = { regionId: params.region_id, operator, period, now: at.getTime() }
      return (await readFees(state.as(scope), payers, scope, question, false)).fees
    }),
    route(contract.forecastFees, ({ viewer, at, ...asked }) => forecastMonth(fees, state, viewer, asked, at)),
    route(contract.tryFees, ({ viewer, at, signal, ...asked }) =>
      fees.tryOut(viewer.scope, asked, at, signal),
    ),
    route(contract.listFeeFacts, ({ viewer, at, signal, ...asked }) => fees.facts(viewer, asked, at, signal)),
  ]
}
