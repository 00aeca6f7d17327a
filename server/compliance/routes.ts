import * as contract from '#contract/compliance.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRecordsByPolicyId, getComplianceSummary, tryPolicy } from './days/read-compliance.ts'
import type { Compliance } from './days/find-records.ts'
import { listComplianceFacts } from './days/list-facts.ts'

/** Declares the routes of compliance by day. */
export function complianceRoutes(compliance: Compliance): Route[] {
  return [
    route(contract.getComplianceSummary, (call) => getComplianceSummary(compliance, call)),
    route(contract.getComplianceForPolicy, (call) => findRecordsByPolicyId(compliance, call)),
    route(contract.tryPolicy, (call) => tryPolicy(compliance, call)),
    route(contract.listComplianceFacts, (call) => listComplianceFacts(compliance, call)),
  ]
}
