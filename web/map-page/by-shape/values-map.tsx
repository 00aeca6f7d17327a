import type { ReactNode } from 'react'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { MapView } from '#web/map/map-view.tsx'
import type { CoveredEdges } from '#web/map/map-view-props.ts'
import type { StateSource } from '#web/map/map-layer.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import type { ViewLink } from '#web/map/viewport.ts'
import { useHoverParam } from '#web/shell/use-search-state.ts'
import { firstView } from '../first-view.ts'
import type { MapSearch } from './map-search.ts'
import type { Painting } from './painting.ts'
import { useEvaluationScene } from './use-evaluation-scene.ts'

interface Props {
  title: string
  region: Region
  /** The initial view, and the selected shape. */
  search: Pick<MapSearch, 'view' | 'shape'>
  layers: readonly Layer[] | null
  layer: Layer | null
  shapes: readonly Shape[] | null
  painting: Painting
  /** Points instead of values; null if heat is off. */
  heat: { points: readonly HeatPoint[] | null; colors: readonly string[] } | null
  playing?: StateSource | null
  linkedViews?: { link: ViewLink; leads: boolean }
  /** Without it, no edge is covered. */
  covered?: CoveredEdges
  /** Width of the map in pixels. */
  width: number
  isDimmed: boolean
  onViewChange: (view: [number, number, number]) => void
  onSelect: (id: string | null) => void
  hoverCard: (id: string) => ReactNode
  at: number
}

/** The map itself: shapes in the colors of a painting. */
export function ValuesMap({
  title,
  region,
  search,
  layers,
  layer,
  shapes,
  painting,
  heat,
  playing,
  linkedViews,
  covered,
  width,
  isDimmed,
  onViewChange,
  onSelect,
  hoverCard,
  at,
}: Props) {
  const hover = useHoverParam()
  const scheme = useMapScheme()
  const scene = useEvaluationScene({
    layers,
    layer,
    shapes,
    binById: painting.binById,
    colors: painting.colors,
    heat,
    scheme,
    selected: search.shape ?? null,
    at,
  })
  const { view, isExact } = firstView(search.view, region, width)
  return (
    <MapView
      requestHeaders={requestHeaders}
      scene={scene}
      title={title}
      view={view}
      isExact={isExact}
      covered={covered}
      isMetric={region.isMetric}
      isDimmed={isDimmed}
      playing={heat ? null : (playing ?? null)}
      {...(linkedViews ? { linkedViews } : {})}
      onViewChange={({ lon, lat, zoom }) => onViewChange([lon, lat, zoom])}
      onHover={hover}
      onSelect={onSelect}
      findShape={(id) => {
        const shape = shapes?.find((shape) => shape.shape_uuid === id)
        return shape ? boundingBox(shape.geom) : null
      }}
      hoverCard={hoverCard}
    />
  )
}
