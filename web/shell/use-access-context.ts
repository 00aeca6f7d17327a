import { useMemo } from 'react'
import type { AccessContext } from './features.ts'
import { useMe } from './me.tsx'
import { useRegionContext } from './region.tsx'

/** What decides which pages show; null until the region is known. */
export function useAccessContext(): AccessContext | null {
  const { organization, can } = useMe()
  const { query: answer } = useRegionContext()
  const region = answer.data
  return useMemo(
    () => (region ? { settings: organization.settings, region, can } : null),
    [organization, region, can],
  )
}
