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
  /** When the screen was opened. */
  at: number
  /** Without it, shapes only show their names. */
  onPick?: ((shapeId: string) => void) | undefined
}

/** The scope of a policy. The first view is around the covered shapes of a layer. */
export function PolicyMap({ region, layers, scope, at, onPick }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const { layer, covered, isWhole } = scope
  const shapes = useShapes(layer && layer.shape_count <= maxLoadedShapes ? layer : null).data ?? null
  const scene = usePolicyScene({ layers, scope, shapes, scheme, at })
  const layerId = layer?.shape_layer_uuid
  // A large layer is shown completely; any other waits until its shapes are loaded.
  const isKnown = shapes !== null || layer === null || layer.shape_count > maxLoadedShapes
  const [cameraTarget, setCameraTarget] = useState<{ box: Box; minZoom: number } | null>(null)
  const flyToScope = useEffectEvent(() => setCameraTarget(firstCameraTarget(layer, shapes, covered)))
  // Once per layer, so that the map does not move with every selected shape.
  useEffect(() => {
    if (isKnown && layerId !== undefined) flyToScope()
  }, [layerId, isKnown])
  const hover = useHoverParam()
  return (
    <EmbeddedMap
      region={region}
      scene={scene}
      title={t('policies:where.map')}
      cameraTarget={cameraTarget}
      onHover={hover}
      onSelect={(id) => {
        if (id !== null && !isWhole) onPick?.(id)
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

function ShapeName({ regionId, id, known }: { regionId: string; id: string; known: string | undefined }) {
  const { t } = useTranslation()
  const { data } = useEndpointQuery(
    getShape,
    { params: { region_id: regionId, shape_uuid: id } },
    { enabled: known === undefined },
  )
  return <strong>{known ?? data?.shape_name ?? t('kit:loading')}</strong>
}
