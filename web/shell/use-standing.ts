import { useMemo } from 'react'
import type { Standing } from './features.ts'
import { useMe } from './me.tsx'
import { useChosenRegion } from './region.tsx'

/** What decides which pages show; null until the region is known. */
export function useStanding(): Standing | null {
  const { organization, can } = useMe()
  const { answer } = useChosenRegion()
  const region = answer.data
  return useMemo(
    () => (region ? { settings: organization.settings, region, can } : null),
    [organization, region, can],
  )
}
