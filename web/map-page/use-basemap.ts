import { useMemo } from 'react'
import type { Layer } from '#contract/geography.ts'
import { useDeploymentBasemap } from './use-deployment-basemap.ts'
import { type SceneBasemap, basemapRoleOf } from '#web/map/map-scene.ts'
import { tileUrl } from '#web/map/drawing/tile-url.ts'

/** The basemap of a region's maps: its own layers, unless the deployment has another one. */
export function useBasemap(layers: readonly Layer[] | null, at: number): SceneBasemap {
  const own = useMemo(
    () =>
      (layers ?? []).flatMap((layer) => {
        const role = basemapRoleOf(layer.level)
        return role === null || layer.shape_count === 0
          ? []
          : [{ role, tiles: tileUrl(layer, location.origin, at), attribution: layer.attribution ?? null }]
      }),
    [layers, at],
  )
  return useDeploymentBasemap(own)
}
