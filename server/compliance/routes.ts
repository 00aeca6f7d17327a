import * as contract from '#contract/compliance.ts'
import { type Route, route } from '#server/http/route.ts'
import { recordsFor, summaryOf, tryOut } from './days/answer-compliance.ts'
import type { Compliance } from './days/find-records.ts'
import { listFacts } from './days/list-facts.ts'

/** The calls of compliance (1-product, section 7). */
export function complianceRoutes(compliance: Compliance): Route[] {
  return [
    route(contract.getComplianceSummary, ({ viewer, at, signal, ...asked }) =>
      summaryOf(compliance, viewer.scope, asked, at, signal),
    ),
    route(contract.getComplianceForPolicy, ({ viewer, at, signal, ...asked }) =>
      recordsFor(compliance, viewer.scope, asked, at, signal),
    ),
    route(contract.tryPolicy, ({ viewer, at, signal, ...asked }) =>
      tryOut(compliance, viewer.scope, asked, at, signal),
    ),
    route(contract.listComplianceFacts, ({ viewer, at, signal, ...asked }) =>
      listFacts(compliance, viewer, asked, at, signal),
    ),
  ]
}
