import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { ComplianceFact } from '#contract/compliance.ts'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { firstView } from '#web/evaluation/first-view.ts'
import type { Painting } from '#web/evaluation/painting.ts'
import { useEvaluationScene } from '#web/evaluation/use-evaluation-scene.ts'
import { boxOf } from '#web/map/drawing/box-of.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useHoverParam } from '#web/shell/use-search-state.ts'
import { type CoveredShapes, goalOf } from './goal-of.ts'
import { factMark, factOfMark, useFactPoints } from './fact-points.ts'
import styles from './parts.module.css'

const uncovered = { top: 0, right: 0, bottom: 0, left: 0 }

interface Props {
  title: string
  region: Region
  layers: readonly Layer[] | null
  ground: CoveredShapes
  /** Of the layer; null: not there yet, or too many. */
  shapes: readonly Shape[] | null
  painting: Pick<Painting, 'of' | 'colors'>
  facts: readonly ComplianceFact[]
  /** A shape, or the index of a fact. */
  selected: string | number | null
  onSelect: (selected: string | number | null) => void
  shapeCard: (id: string) => ReactNode
  factCard: (fact: ComplianceFact) => ReactNode
  isDimmed: boolean
  /** When the screen was opened. */
  at: number
  legend: ReactNode
}

/** Shapes coloured by what was found in them, and over them the facts that are shown one by one. */
export function ComplianceMap({
  title,
  region,
  layers,
  ground,
  shapes,
  painting,
  facts,
  selected,
  onSelect,
  shapeCard,
  factCard,
  isDimmed,
  at,
  legend,
}: Props) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const chosen = typeof selected === 'number' ? selected : null
  const points = useFactPoints(facts, scheme, chosen)
  const scene = useEvaluationScene({
    layers,
    layer: ground.layer,
    shapes,
    classes: painting.of,
    colors: painting.colors,
    heat: null,
    scheme,
    selected: chosen === null ? (selected as string | null) : factMark(chosen),
    at,
  })
  const layerId = ground.layer?.shape_layer_uuid
  const [goal, setGoal] = useState<ReturnType<typeof goalOf>>(null)
  const go = useEffectEvent(() => setGoal(goalOf(ground, shapes)))
  const isKnown = shapes !== null || (layers !== null && layerId === undefined)
  // Once for each layer.
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
    return shape ? boxOf(shape.geom) : null
  }
  return (
    <div className={styles['mapBox']}>
      <MapView
        requestHeaders={requestHeaders}
        scene={scene}
        fleet={points}
        title={title}
        view={view}
        isExact={false}
        covered={uncovered}
        isMetric={region.isMetric}
        isDimmed={isDimmed}
        goal={goal}
        onView={() => undefined}
        // Facts have no id that another visit would know.
        onHover={(id) => hover(id === null || factOfMark(id) !== null ? null : id)}
        onSelect={(id) => onSelect(id === null ? null : (factOfMark(id) ?? id))}
        findShape={findShape}
        hoverCard={(id) => {
          const index = factOfMark(id)
          const fact = index === null ? undefined : facts[index]
          return index === null ? shapeCard(id) : fact ? factCard(fact) : null
        }}
      />
      <div className={styles['mapLegend']}>{legend}</div>
    </div>
  )
}
