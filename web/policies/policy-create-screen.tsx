import { useState } from 'react'
import { emptyPolicy } from '#contract/policy.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useRegion } from '#web/shell/region.tsx'
import { PolicyEditor } from './policy-editor.tsx'

export function PolicyCreateScreen() {
  const { regionId, timezone } = useRegion()
  const at = useOpenedAt()
  const today = useToday(timezone)
  const [start] = useState(emptyPolicy)
  return <PolicyEditor key={regionId} mode="create" start={start} saved={null} today={today} at={at} />
}
