import { useParams } from '@tanstack/react-router'
import { PolicyLoader } from '#web/policies/policy-loader.tsx'
import { PolicyCompliance } from './policy-compliance.tsx'

/** The compliance with one policy, day by day. */
export function ComplianceDetailScreen() {
  const { policyId = '' } = useParams({ strict: false }) as { policyId?: string }
  return (
    <PolicyLoader key={policyId} id={policyId} includesDeleted>
      {(policy) => <PolicyCompliance policy={policy} />}
    </PolicyLoader>
  )
}
