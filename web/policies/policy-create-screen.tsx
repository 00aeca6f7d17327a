import { useState } from 'react'
import { localDay } from '#contract/period.ts'
import { emptyPolicy } from '#contract/policy.ts'
import { useRegion } from '#web/shell/region.tsx'
import { PolicyEditor } from './policy-editor.tsx'

/** Creates a policy. */
export function PolicyCreateScreen() {
  const { regionId, timezone } = useRegion()
  const [at] = useState(() => Date.now())
  const [start] = useState(emptyPolicy)
  return (
    <PolicyEditor
      key={regionId}
      mode="create"
      start={start}
      saved={null}
      today={localDay(new Date(at), timezone)}
      at={at}
    />
  )
}
