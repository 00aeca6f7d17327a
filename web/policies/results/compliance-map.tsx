import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { ShapeCard } from '#web/map-page/by-shape/shape-card.tsx'
import { firstView } from '#web/map-page/first-view.ts'
import type { Painting } from '#web/map-page/by-shape/painting.ts'
import { useEvaluationScene } from '#web/map-page/by-shape/use-evaluation-scene.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useHoverParam } from '#web/shell/use-search-state.ts'
import { FactCard } from './fact-card.tsx'
import styles from './parts.module.css'
import type { ShapeRow } from './shape-violations.ts'
import type { getSpeedUnit } from './speed-unit.ts'
import type { usePolicyScope } from './use-policy-scope.ts'
import type { Box } from '#contract/place.ts'
import { createSignal } from '#web/data/signals.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import type { FleetPoints, FleetSource } from '#web/map/layers/fleet-points.ts'
import { toRgba } from '#web/map/layers/colors.ts'

/** Id prefix of facts, to tell them from shapes under the pointer. */
const prefix = 'fact:'
export const factMark = (index: number): string => `${prefix}${index}`
/** Index of a fact by its feature id; null for a shape. */
export const factOfMark = (id: string): number | null =>
  id.startsWith(prefix) ? Number(id.slice(prefix.length)) : null

/** Facts as points: violations in red, uncertain ones in amber. */
export function drawFacts(
  facts: readonly ComplianceFact[],
  scheme: Scheme,
  selected: number | null,
): FleetPoints {
  const positions = new Float64Array(facts.length * 2)
  const colors = new Uint8ClampedArray(facts.length * 4)
  const { red, amber, slate } = tokens[scheme]
  const [violationColor, uncertainColor, otherColor] = [toRgba(red), toRgba(amber), toRgba(slate)]
  for (const [index, { lon, lat, is_violation: isViolation, is_uncertain: isUncertain }] of facts.entries()) {
    positions[2 * index] = lon
    positions[2 * index + 1] = lat
    colors.set(isViolation ? violationColor : isUncertain ? uncertainColor : otherColor, 4 * index)
  }
  const chosen = selected === null ? undefined : facts[selected]
  return {
    scheme,
    count: facts.length,
    positions,
    colors,
    getId: factMark,
    clusters: [],
    stations: [],
    selected: chosen ? { lon: chosen.lon, lat: chosen.lat } : null,
    userLocation: null,
  }
}

/** Passes facts to the map without React renders: one source for the life of the map. */
function useFactPoints(
  facts: readonly ComplianceFact[],
  scheme: Scheme,
  selected: number | null,
): FleetSource {
  const [drawn] = useState(() => createSignal<FleetPoints | null>(null))
  useEffect(() => drawn.write(drawFacts(facts, scheme, selected)), [drawn, facts, scheme, selected])
  return drawn
}

/** The part of a policy's scope that the map needs. */
interface MapScope {
  layer: Layer | null
  /** Null for all shapes of the layer. */
  covered: readonly string[] | null
}

/** The first view of the map: the covered shapes, else the layer. */
export function firstMapGoal(
  { layer, covered }: MapScope,
  shapes: readonly Shape[] | null,
): { box: Box; minZoom: number } | null {
  const coveredShapes = covered?.length
    ? (shapes ?? []).filter(({ shape_uuid: id }) => covered.includes(id))
    : []
  const box = boxAroundGeometries(coveredShapes.map(({ geom }) => geom)) ?? layer?.bbox ?? null
  return box && { box, minZoom: 0 }
}

const uncovered = { top: 0, right: 0, bottom: 0, left: 0 }

interface Props {
  region: Region
  scope: ReturnType<typeof usePolicyScope>
  /** Values by shape with their unit. */
  rows: readonly ShapeRow[]
  unitText: string
  unitOne: string
  change: 'change' | null
  painting: Pick<Painting, 'classes' | 'colors'>
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
  unitOne,
  change,
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
  const chosen = typeof selected === 'number' ? selected : null
  const points = useFactPoints(facts, scheme, chosen)
  const scene = useEvaluationScene({
    layers,
    layer: scope.layer,
    shapes,
    classes: painting.classes,
    colors: painting.colors,
    heat: null,
    scheme,
    selected: chosen === null ? (selected as string | null) : factMark(chosen),
    at,
  })
  const layerId = scope.layer?.shape_layer_uuid
  const [goal, setGoal] = useState<ReturnType<typeof firstMapGoal>>(null)
  const go = useEffectEvent(() => setGoal(firstMapGoal(scope, shapes)))
  const isKnown = shapes !== null
  // Once per layer.
  useEffect(() => {
    if (isKnown && layerId !== undefined) go()
  }, [layerId, isKnown])
  const { view } = firstView(undefined, region, 480)
  const hover = useHoverParam()
  const findShape = (id: string) => {
    const fact = factOfMark(id)
    if (fact !== null) {
      const place = facts[fact]
      return place
        ? ([place.lon, place.lat, place.lon, place.lat] satisfies [number, number, number, number])
        : null
    }
    const shape = shapes?.find((each) => each.shape_uuid === id)
    return shape ? boundingBox(shape.geom) : null
  }
  return (
    <div className={styles['mapBox']}>
      <MapView
        requestHeaders={requestHeaders}
        scene={scene}
        fleet={points}
        title={t('compliance:map.label')}
        view={view}
        isExact={false}
        covered={uncovered}
        isMetric={region.isMetric}
        isDimmed={isDimmed}
        goal={goal}
        onView={() => undefined}
        // Facts have no stable id.
        onHover={(id) => hover(id === null || factOfMark(id) !== null ? null : id)}
        onSelect={(id) => onSelect(id === null ? null : (factOfMark(id) ?? id))}
        findShape={findShape}
        hoverCard={(id) => {
          const index = factOfMark(id)
          const fact = index === null ? undefined : facts[index]
          if (index !== null)
            return fact ? (
              <FactCard
                fact={fact}
                operatorName={operatorName}
                zone={region.timezone}
                speedUnit={speedUnit}
              />
            ) : null
          const row = rows.find((each) => each.id === id)
          return (
            <ShapeCard
              name={row?.name ?? shapes?.find((shape) => shape.shape_uuid === id)?.shape_name ?? ''}
              row={row}
              unit="events"
              unitText={unitText}
              unitOne={unitOne}
              change={change}
            />
          )
        }}
      />
      <div className={styles['mapLegend']}>{legend}</div>
    </div>
  )
}
