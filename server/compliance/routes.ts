import * as contract from '#contract/compliance.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRecordsByPolicyId, summarizeCompliance, tryDraft } from './days/read-compliance.ts'
import type { Compliance } from './days/find-records.ts'
import { listFacts } from './days/list-facts.ts'

export function complianceRoutes(compliance: Compliance): Route[] {
  return [
    route(contract.getComplianceSummary, (call) => summarizeCompliance(compliance, call)),
    route(contract.getComplianceForPolicy, (call) => findRecordsByPolicyId(compliance, call)),
    route(contract.tryPolicy, (call) => tryDraft(compliance, call)),
    route(contract.listComplianceFacts, (call) => listFacts(compliance, call)),
  ]
}
