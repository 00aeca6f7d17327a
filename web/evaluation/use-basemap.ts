import { useMemo } from 'react'
import type { Layer } from '#contract/geography.ts'
import { basemapRoleOf, type BasemapLayer } from '#web/map/drawing/basemap-layer.ts'
import { tileAddress } from '#web/map/drawing/tile-address.ts'

/** The region's own layers that are drawn under its maps. */
export function useBasemap(layers: readonly Layer[] | null, at: number): readonly BasemapLayer[] {
  return useMemo(
    () =>
      (layers ?? []).flatMap((layer) => {
        const role = basemapRoleOf(layer.level)
        return role === null || layer.shape_count === 0 ? [] : [{ role, tiles: tileAddress(layer, location.origin, at) }]
      }),
    [layers, at],
  )
}
