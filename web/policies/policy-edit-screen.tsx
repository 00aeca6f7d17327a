import { Navigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedPolicy } from '#contract/policies.ts'
import { PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useRegion } from '#web/shell/region.tsx'
import { PolicyLoader } from './policy-loader.tsx'
import { policyAddress } from './policy-address.ts'
import { PolicyEditor } from './policy-editor.tsx'

/** Edits a policy. An imported policy of an unknown type is only shown. */
export function PolicyEditScreen() {
  const { policyId = '' } = useParams({ strict: false }) as { policyId?: string }
  return (
    <PolicyLoader key={policyId} id={policyId} isFresh>
      {(policy) =>
        findPolicyType(policy.policy_type) ? (
          <StoredPolicyEditor policy={policy} />
        ) : (
          <Navigate to={policyAddress(policy.region_id, policy.constant_policy_uuid)} replace />
        )
      }
    </PolicyLoader>
  )
}

function StoredPolicyEditor({ policy }: { policy: ListedPolicy }) {
  const { timezone } = useRegion()
  const at = useOpenedAt()
  const today = useToday(timezone)
  // Later responses do not change the form.
  const [saved] = useState(policy)
  const [start] = useState(() => PolicyFields.parse(policy))
  return <PolicyEditor mode="edit" start={start} saved={saved} today={today} at={at} />
}
