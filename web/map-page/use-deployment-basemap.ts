import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getBasemap } from '#contract/basemap.ts'
import type { PublicRegion } from '#contract/regions.ts'
import { fetchMapStyle, MapStyleError } from '#web/data/map-style.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { BasemapLayer, SceneBasemap, StyleBasemap } from '#web/map/map-scene.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'

const noLayers: readonly BasemapLayer[] = []

/** The basemap of the deployment, else the region's own layers. Empty while loading, to avoid a flash. */
export function useDeploymentBasemap(ownLayers: readonly BasemapLayer[]): SceneBasemap {
  const scheme = useMapScheme()
  const { data: basemap, isPending } = useEndpointQuery(getBasemap, {}, { staleTime: Infinity })
  const kind = basemap?.kind ?? 'embedded'
  const styleUrl =
    basemap?.kind === 'style' ? basemap.url.replaceAll(/\{scheme\}|%7Bscheme%7D/gi, scheme) : null
  const style = useQuery({
    queryKey: ['map style', styleUrl],
    enabled: styleUrl !== null,
    staleTime: Infinity,
    queryFn: ({ signal }) => fetchMapStyle(styleUrl ?? '', signal),
  })
  const needsFile = kind === 'tiles' || (style.data ? usesPmtiles(style.data.sources) : false)
  const file = useQuery({
    queryKey: ['pmtiles'],
    enabled: needsFile,
    staleTime: Infinity,
    queryFn: async () => (await import('#web/map/pmtiles-protocol.ts')).registerPmtilesProtocol(),
  })
  return useMemo((): SceneBasemap => {
    if (isPending || (needsFile && file.isPending)) return noLayers
    if (basemap?.kind === 'tiles' && file.data) {
      const { url, layers, attribution, min_zoom: minZoom, max_zoom: maxZoom, bounds } = basemap
      return {
        kind: 'tiles',
        tiles: `pmtiles://${location.origin}${url}/{z}/{x}/{y}`,
        layers,
        attribution,
        minZoom,
        maxZoom,
        bounds,
      }
    }
    if (style.data) return { kind: 'style', style: style.data as unknown as StyleBasemap['style'] }
    if (style.error)
      return {
        kind: 'own',
        layers: ownLayers,
        problem:
          style.error instanceof MapStyleError
            ? { reason: style.error.reason, host: style.error.host }
            : { reason: 'no_style', host: '' },
      }
    return styleUrl === null ? ownLayers : noLayers
  }, [ownLayers, basemap, isPending, needsFile, file.isPending, file.data, style.data, style.error, styleUrl])
}

const usesPmtiles = (sources: Readonly<Record<string, Record<string, unknown>>>): boolean =>
  Object.values(sources).some(({ url, tiles }) =>
    [url, tiles].flat().some((address) => typeof address === 'string' && address.startsWith('pmtiles://')),
  )

/** Returns the basemap of a region's public maps. */
export function usePublicBasemap({ regionId, text, basemap }: PublicRegion): SceneBasemap {
  const { t } = useTranslation()
  const credit = t('map:attribution.own', { region: text })
  const ownLayers = useMemo(() => {
    const path = `${location.origin}/v2/public/regions/${encodeURIComponent(regionId)}/basemap`
    return basemap.map(({ shape_layer_uuid: id, role, version, attribution }) => ({
      role,
      attribution: attribution ?? credit,
      tiles: `${path}/${id}/vector/{z}/{x}/{y}?v=${encodeURIComponent(version)}`,
    }))
  }, [regionId, basemap, credit])
  return useDeploymentBasemap(ownLayers)
}
