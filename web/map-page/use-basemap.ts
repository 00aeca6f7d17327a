import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { type SceneBasemap, parseBasemapRole } from '#web/map/map-scene.ts'
import { tileUrl } from '#web/map/rendering/tile-url.ts'
import { useRegionContext } from '#web/shell/region.tsx'
import { useDeploymentBasemap } from './use-deployment-basemap.ts'

/**
 * Returns the basemap of a region's maps: its own layers, unless the deployment has another one.
 *
 * @param at When the screen was opened, in ms since 1970; constant, so that tiles stay cached
 */
export function useBasemap(layers: readonly Layer[] | null, at: number): SceneBasemap {
  const { t } = useTranslation()
  const region = useRegionContext().query.data?.text ?? ''
  const credit = t('map:attribution.own', { region })
  const ownLayers = useMemo(
    () =>
      (layers ?? []).flatMap((layer) => {
        const role = parseBasemapRole(layer.level)
        return role === null || layer.shape_count === 0
          ? []
          : [{ role, tiles: tileUrl(layer, location.origin, at), attribution: layer.attribution ?? credit }]
      }),
    [layers, at, credit],
  )
  return useDeploymentBasemap(ownLayers)
}
