import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedPolicy } from '#contract/policies.ts'
import { localDay } from '#contract/period.ts'
import { PolicyFields } from '#contract/policy.ts'
import { useRegion } from '#web/shell/region.tsx'
import { FoundPolicy } from './found-policy.tsx'
import { PolicyEditor } from './policy-editor.tsx'

/** A policy that is changed. */
export function PolicyEditScreen() {
  const { policyId = '' } = useParams({ strict: false }) as { policyId?: string }
  return <FoundPolicy key={policyId} id={policyId} isFresh>{(policy) => <Edited policy={policy} />}</FoundPolicy>
}

function Edited({ policy }: { policy: ListedPolicy }) {
  const { timezone } = useRegion()
  const [at] = useState(() => Date.now())
  // Asked for anew or not: what is edited began as it was read first.
  const [saved] = useState(policy)
  const [start] = useState(() => PolicyFields.parse(policy))
  return <PolicyEditor act="edit" start={start} saved={saved} today={localDay(new Date(at), timezone)} at={at} />
}
