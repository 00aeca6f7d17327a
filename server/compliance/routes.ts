import * as contract from '#contract/compliance.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRecordsByPolicyId, summarizeCompliance, tryDraft } from './days/read-compliance.ts'
import type { Compliance } from './days/find-records.ts'
import { listFacts } from './days/list-facts.ts'

export function complianceRoutes(compliance: Compliance): Route[] {
  return [
    route(contract.getComplianceSummary, ({ viewer, at, signal, ...request }) =>
      summarizeCompliance(compliance, viewer.scope, request, at, signal),
    ),
    route(contract.getComplianceForPolicy, ({ viewer, at, signal, ...request }) =>
      findRecordsByPolicyId(compliance, viewer.scope, request, at, signal),
    ),
    route(contract.tryPolicy, ({ viewer, at, signal, ...request }) =>
      tryDraft(compliance, viewer.scope, request, at, signal),
    ),
    route(contract.listComplianceFacts, ({ viewer, at, signal, ...request }) =>
      listFacts(compliance, viewer, request, at, signal),
    ),
  ]
}
