import { useParams } from '@tanstack/react-router'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { getRegion, type Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { QueryState } from '#web/kit/loaded.tsx'
import type { ApiError } from '#web/data/api-error.ts'

interface RegionContextValue {
  /** Null on pages without a region. */
  regionId: string | null
  query: QueryState<Region> & { error: ApiError | null }
}

const RegionContext = createContext<RegionContextValue | null>(null)

/** Returns the region of the URL, possibly still loading; for the frame. Screens call useRegion. */
export function useRegionContext(): RegionContextValue {
  const value = useContext(RegionContext)
  if (!value) throw new Error('useRegionContext outside of RegionProvider')
  return value
}

/** Returns the region of the URL. Only for screens below RegionGate. */
export function useRegion(): Region {
  const region = useRegionContext().query.data
  if (!region) throw new Error('useRegion outside of RegionGate')
  return region
}

/** Loads the region of the URL for the components below. */
export function RegionProvider({ children }: { children: ReactNode }) {
  const { regionId = null } = useParams({ strict: false }) as { regionId?: string }
  const query = useEndpointQuery(
    getRegion,
    { params: { region_id: regionId ?? '' } },
    { enabled: regionId !== null },
  )
  const value = useMemo(() => ({ regionId, query }), [regionId, query])
  return <RegionContext value={value}>{children}</RegionContext>
}
