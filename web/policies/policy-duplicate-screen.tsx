import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListedPolicy } from '#contract/policies.ts'
import { copyPolicy } from '#contract/policy.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useRegion } from '#web/shell/region.tsx'
import { PolicyLoader } from './policy-loader.tsx'
import { PolicyEditor } from './policy-editor.tsx'

/** Creates a policy as a copy of the policy `?policy=`. */
export function PolicyDuplicateScreen() {
  const { policy = '' } = useSearch({ strict: false }) as { policy?: string }
  return (
    <PolicyLoader key={policy} id={String(policy)} isFresh>
      {(data) => <PolicyCopyEditor policy={data} />}
    </PolicyLoader>
  )
}

function PolicyCopyEditor({ policy }: { policy: ListedPolicy }) {
  const { timezone } = useRegion()
  const at = useOpenedAt()
  const today = useToday(timezone)
  const [start] = useState(() => copyPolicy(policy))
  return <PolicyEditor mode="duplicate" start={start} saved={null} today={today} at={at} />
}
