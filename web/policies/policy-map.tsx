import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getShape, type Layer, type Shape } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useHoverParam } from '#web/shell/use-search-state.ts'
import { maxLoadedShapes, type PolicyScope } from './policy-scope.ts'
import { usePolicyScene } from './use-policy-scene.ts'

interface Props {
  region: Region
  layers: readonly Layer[] | null
  scope: PolicyScope
  /** When the screen was opened, in ms since 1970. */
  at: number
  /** Without it, shapes only show their names. */
  onPick?: ((shapeId: string) => void) | undefined
}

/** The scope of a policy. The first view is around the covered shapes of a layer. */
export function PolicyMap({ region, layers, scope, at, onPick }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const { layer, covered, isRegionWide } = scope
  const shapes = useShapes(layer && layer.shape_count <= maxLoadedShapes ? layer : null).data ?? null
  const scene = usePolicyScene({ layers, scope, shapes, scheme, at })
  const layerId = layer?.shape_layer_uuid
  // A large layer is shown completely; any other waits until its shapes are loaded.
  const isScopeLoaded = shapes !== null || layer === null || layer.shape_count > maxLoadedShapes
  const [cameraTarget, setCameraTarget] = useState<{ box: Box; minZoom: number } | null>(null)
  const flyToScope = useEffectEvent(() => setCameraTarget(firstCameraTarget(layer, shapes, covered)))
  // Once per layer, so that the map does not move with every selected shape.
  useEffect(() => {
    if (isScopeLoaded && layerId !== undefined) flyToScope()
  }, [layerId, isScopeLoaded])
  const hover = useHoverParam()
  return (
    <EmbeddedMap
      region={region}
      scene={scene}
      title={t('policies:where.map')}
      cameraTarget={cameraTarget}
      onHover={hover}
      onSelect={(id) => {
        if (id !== null && !isRegionWide) onPick?.(id)
      }}
      hoverCard={(id) => (
        <ShapeName
          regionId={region.regionId}
          id={id}
          known={shapes?.find(({ shape_uuid }) => shape_uuid === id)?.shape_name}
        />
      )}
    />
  )
}

/** Returns the box around the covered shapes, else around the layer; null if both are unknown. */
function firstCameraTarget(
  layer: Layer | null,
  shapes: readonly Shape[] | null,
  covered: readonly string[] | null,
): { box: Box; minZoom: number } | null {
  const coveredShapes = covered?.length
    ? (shapes ?? []).filter(({ shape_uuid: id }) => covered.includes(id))
    : []
  const box = boxAroundGeometries(coveredShapes.map(({ geom }) => geom)) ?? layer?.bbox ?? null
  return box && { box, minZoom: 0 }
}

/** The name of a shape; requested unless it is known. */
function ShapeName({
  regionId,
  id,
  known: knownName,
}: {
  regionId: string
  id: string
  known: string | undefined
}) {
  const { t } = useTranslation()
  const { data } = useEndpointQuery(
    getShape,
    { params: { region_id: regionId, shape_uuid: id } },
    { enabled: knownName === undefined },
  )
  return <strong>{knownName ?? data?.shape_name ?? t('kit:loading')}</strong>
}
