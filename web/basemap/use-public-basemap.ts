import { useMemo } from 'react'
import type { PublicRegion } from '#contract/regions.ts'
import type { SceneBasemap } from '#web/map/scene-basemap.ts'
import { useDeploymentBasemap } from './use-deployment-basemap.ts'

/** What is drawn under a region's public maps: its own layers, unless the deployment names something else. */
export function usePublicBasemap({ regionId, basemap }: PublicRegion): SceneBasemap {
  const own = useMemo(() => {
    const path = `${location.origin}/v2/public/regions/${encodeURIComponent(regionId)}/basemap`
    return basemap.map(({ shape_layer_uuid: id, role, version, attribution }) => ({
      role,
      attribution,
      tiles: `${path}/${id}/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}`,
    }))
  }, [regionId, basemap])
  return useDeploymentBasemap(own)
}
