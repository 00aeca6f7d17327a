import { useParams } from '@tanstack/react-router'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { getRegion, type Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { QueryState } from '#web/kit/loaded.tsx'
import type { ApiError } from '#web/data/api-error.ts'

interface RegionContextValue {
  regionId: string | null
  query: QueryState<Region> & { error: ApiError | null }
}

const RegionContext = createContext<RegionContextValue | null>(null)

/** The region of the address bar, on its way or here; for the frame. Screens take useRegion. */
export function useRegionContext(): RegionContextValue {
  const chosen = useContext(RegionContext)
  if (!chosen) throw new Error('useChosenRegion outside of RegionProvider')
  return chosen
}

/** The region of the address bar. Screens below RegionGate have one. */
export function useRegion(): Region {
  const region = useRegionContext().query.data
  if (!region) throw new Error('useRegion outside of RegionGate')
  return region
}

export function RegionProvider({ children }: { children: ReactNode }) {
  const { regionId = null } = useParams({ strict: false }) as { regionId?: string }
  const query = useEndpointQuery(
    getRegion,
    { params: { region_id: regionId ?? '' } },
    { enabled: regionId !== null },
  )
  const chosen = useMemo(() => ({ regionId, query }), [regionId, query])
  return <RegionContext value={chosen}>{children}</RegionContext>
}
