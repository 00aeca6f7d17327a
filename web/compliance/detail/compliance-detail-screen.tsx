import { useParams } from '@tanstack/react-router'
import { FoundPolicy } from '#web/policies/found-policy.tsx'
import { PolicyCompliance } from './policy-compliance.tsx'

/** The compliance with one policy, day by day. */
export function ComplianceDetailScreen() {
  const { policyId = '' } = useParams({ strict: false }) as { policyId?: string }
  return (
    <FoundPolicy key={policyId} id={policyId} includesDeleted>
      {(policy) => <PolicyCompliance policy={policy} />}
    </FoundPolicy>
  )
}
