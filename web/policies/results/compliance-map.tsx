import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import type { Box } from '#contract/place.ts'
import { ShapeCard } from '#web/map-page/by-shape/shape-card.tsx'
import { embeddedMapWidth, firstView } from '#web/map-page/first-view.ts'
import type { Painting } from '#web/map-page/by-shape/painting.ts'
import { useEvaluationScene } from '#web/map-page/by-shape/use-evaluation-scene.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { EmbeddedMap } from '#web/map-page/embedded-map.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useHoverParam } from '#web/shell/use-search-state.ts'
import { createSignal } from '#web/data/signals.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import type { FleetPoints, FleetSource } from '#web/map/layers/fleet-points.ts'
import { toRgba } from '#web/map/layers/colors.ts'
import { FactCard } from './fact-card.tsx'
import styles from './parts.module.css'
import type { ShapeRow } from './shape-violations.ts'
import type { getSpeedUnit } from './speed-unit.ts'
import type { usePolicyScope } from './use-policy-scope.ts'

/** Feature ids of facts start with this, those of shapes do not. */
const factIdPrefix = 'fact:'
export const factFeatureId = (index: number): string => `${factIdPrefix}${index}`
/** Returns the index of a fact in its feature id; null for the id of a shape. */
export const parseFactIndex = (featureId: string): number | null =>
  featureId.startsWith(factIdPrefix) ? Number(featureId.slice(factIdPrefix.length)) : null

/** Draws facts as points: violations in red, uncertain ones in amber. */
export function drawFacts(
  facts: readonly ComplianceFact[],
  scheme: Scheme,
  selected: number | null,
): FleetPoints {
  const positions = new Float64Array(facts.length * 2)
  const colors = new Uint8ClampedArray(facts.length * 4)
  const { red, amber, slate } = tokens[scheme]
  for (const [index, fact] of facts.entries()) {
    positions[2 * index] = fact.lon
    positions[2 * index + 1] = fact.lat
    const otherColor = fact.is_uncertain ? amber : slate
    colors.set(toRgba(fact.is_violation ? red : otherColor), 4 * index)
  }
  const selectedFact = selected === null ? undefined : facts[selected]
  return {
    scheme,
    count: facts.length,
    positions,
    colors,
    getId: factFeatureId,
    clusters: [],
    stations: [],
    selected: selectedFact ? { lon: selectedFact.lon, lat: selectedFact.lat } : null,
    userLocation: null,
  }
}

/** Passes facts to the map without React renders: one source for the life of the map. */
function useFactPoints(
  facts: readonly ComplianceFact[],
  scheme: Scheme,
  selected: number | null,
): FleetSource {
  const [points] = useState(() => createSignal<FleetPoints | null>(null))
  useEffect(() => points.write(drawFacts(facts, scheme, selected)), [points, facts, scheme, selected])
  return points
}

/** The part of a policy's scope that the map needs. */
interface MapScope {
  layer: Layer | null
  /** Ids of the shapes in the scope; null for all shapes of the layer. */
  covered: readonly string[] | null
}

/** Returns the first view of the map: the covered shapes, else the layer. */
export function firstCameraTarget(
  { layer, covered: coveredIds }: MapScope,
  shapes: readonly Shape[] | null,
): { box: Box; minZoom: number } | null {
  const coveredShapes = coveredIds?.length
    ? (shapes ?? []).filter(({ shape_uuid: id }) => coveredIds.includes(id))
    : []
  const box = boxAroundGeometries(coveredShapes.map(({ geom }) => geom)) ?? layer?.bbox ?? null
  return box && { box, minZoom: 0 }
}

interface Props {
  region: Region
  scope: ReturnType<typeof usePolicyScope>
  /** Values by shape with their unit. */
  rows: readonly ShapeRow[]
  unitText: string
  unitSingular: string
  /** Whether the rows compare two results; the map then shows the changes. */
  isDifference: boolean
  painting: Pick<Painting, 'binById' | 'colors'>
  facts: readonly ComplianceFact[]
  /** A shape, or the index of a fact. */
  selected: string | number | null
  onSelect: (selected: string | number | null) => void
  operatorName: (slug: string) => string
  /** Speed unit of the policy. */
  speedUnit: ReturnType<typeof getSpeedUnit>
  isDimmed: boolean
  /** When the screen was opened. */
  at: number
  legend: ReactNode
}

/** Shapes colored by violations, with single facts drawn above. */
export function ComplianceMap({
  region,
  scope: { layers, scope, shapes },
  rows,
  unitText,
  unitSingular,
  isDifference,
  painting,
  facts,
  selected,
  onSelect,
  operatorName,
  speedUnit,
  isDimmed,
  at,
  legend,
}: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const selectedFact = typeof selected === 'number' ? selected : null
  const points = useFactPoints(facts, scheme, selectedFact)
  const scene = useEvaluationScene({
    layers,
    layer: scope.layer,
    shapes,
    binById: painting.binById,
    colors: painting.colors,
    heat: null,
    scheme,
    selected: typeof selected === 'number' ? factFeatureId(selected) : selected,
    at,
  })
  const layerId = scope.layer?.shape_layer_uuid
  const [cameraTarget, setCameraTarget] = useState<ReturnType<typeof firstCameraTarget>>(null)
  const flyToScope = useEffectEvent(() => setCameraTarget(firstCameraTarget(scope, shapes)))
  const areShapesKnown = shapes !== null
  // Once per layer: editing the policy does not move the map.
  useEffect(() => {
    if (areShapesKnown && layerId !== undefined) flyToScope()
  }, [layerId, areShapesKnown])
  const { view } = firstView(undefined, region, embeddedMapWidth)
  const hover = useHoverParam()
  const findShape = (id: string) => {
    const factIndex = parseFactIndex(id)
    if (factIndex !== null) {
      const fact = facts[factIndex]
      return fact ? ([fact.lon, fact.lat, fact.lon, fact.lat] satisfies Box) : null
    }
    const shape = shapes?.find((shape) => shape.shape_uuid === id)
    return shape ? boundingBox(shape.geom) : null
  }
  return (
    <div className={styles['mapBox']}>
      <EmbeddedMap
        region={region}
        scene={scene}
        fleet={points}
        title={t('compliance:map.label')}
        view={view}
        isDimmed={isDimmed}
        cameraTarget={cameraTarget}
        // Facts have no stable id.
        onHover={(id) => hover(id === null || parseFactIndex(id) !== null ? null : id)}
        onSelect={(id) => onSelect(id === null ? null : (parseFactIndex(id) ?? id))}
        findShape={findShape}
        hoverCard={(id) => {
          const factIndex = parseFactIndex(id)
          if (factIndex !== null) {
            const fact = facts[factIndex]
            const textProps = { operatorName, timezone: region.timezone, speedUnit }
            return fact ? <FactCard fact={fact} {...textProps} /> : null
          }
          const row = rows.find((row) => row.id === id)
          return (
            <ShapeCard
              name={row?.name ?? shapes?.find((shape) => shape.shape_uuid === id)?.shape_name ?? ''}
              row={row}
              unit="events"
              unitPlural={unitText}
              unitSingular={unitSingular}
              changeDisplay={isDifference ? 'change' : null}
            />
          )
        }}
      />
      <div className={styles['mapLegend']}>{legend}</div>
    </div>
  )
}
