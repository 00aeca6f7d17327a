import { useMemo } from 'react'
import type { AccessContext } from './features.ts'
import { useMe } from './me.tsx'
import { useRegionContext } from './region.tsx'

/** What page visibility depends on; null until the region is loaded. */
export function useAccessContext(): AccessContext | null {
  const { organization, can } = useMe()
  const { query } = useRegionContext()
  const region = query.data
  return useMemo(
    () => (region ? { settings: organization.settings, region, can } : null),
    [organization, region, can],
  )
}
