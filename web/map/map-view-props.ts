import { createContext, type ComponentType, type ReactNode } from 'react'
import type { Box } from '#contract/place.ts'
import type { FleetSource } from './layers/fleet-points.ts'
import type { StateSource } from './map-layer.ts'
import type { MapScene } from './map-scene.ts'
import type { ViewLink, Viewport } from './viewport.ts'

/** Pixels at each edge that floating panels cover. */
export interface CoveredEdges {
  top: number
  right: number
  bottom: number
  left: number
}

export interface MapViewProps {
  scene: MapScene
  /** A fleet that is drawn outside of the scene; the same object for the lifetime of the map. */
  fleet?: FleetSource
  /** Shape states that change outside of scene and React, such as those of a playback. */
  playing?: StateSource | null
  /** Synchronizes the views of several maps; only the leading map flies to selections. */
  linkedViews?: { link: ViewLink; leads: boolean }
  /** Accessible name of the map, announced on focus. */
  title: string
  /** Initial view; later changes are reported by `onViewChange`. */
  view: Viewport
  /** Whether a user chose `view`. If so, its center is that of the canvas, otherwise that of the uncovered part. */
  isExact: boolean
  /** Without it, no edge is covered. */
  covered?: CoveredEdges | undefined
  isMetric: boolean
  requestHeaders: () => Record<string, string>
  /** Dims the old map while new data is loading. */
  isDimmed: boolean
  onViewChange: (view: Viewport) => void
  onSelect: (id: string | null) => void
  /** Called with the position of a click that hit no feature, after `onSelect`. */
  onPress?: (lon: number, lat: number) => void
  /** Called with the feature under the pointer; null if there is none or it is selected. */
  onHover?: (id: string | null) => void
  /** Bounding box of a shape; null while unknown. */
  findShape: (id: string) => Box | null
  /** A box to fly to, once per object, at `minZoom` or closer. */
  cameraTarget?: { box: Box; minZoom: number } | null
  /** Whether the user already looks at a shape, such as a new one: fly to it only if it is not visible. */
  isLookedAt?: (id: string) => boolean
  /** Renders the card of the shape under the pointer. */
  hoverCard: (id: string) => ReactNode
}

/** Replaces every map below it in tests, which run without a GPU. */
export const MapStandIn = createContext<ComponentType<MapViewProps> | null>(null)
