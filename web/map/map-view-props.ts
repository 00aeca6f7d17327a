import { createContext, type ComponentType, type ReactNode } from 'react'
import type { Box } from '#contract/place.ts'
import type { FleetSource } from './layers/fleet-points.ts'
import type { StateSource } from './map-layer.ts'
import type { MapScene } from './map-scene.ts'
import type { ViewLink, Viewport } from './viewport.ts'

/** Pixels at each edge that are covered by floating panels. */
export interface CoveredEdges {
  top: number
  right: number
  bottom: number
  left: number
}

export interface MapViewProps {
  scene: MapScene
  /**
   * A fleet that is drawn as it moves, outside of the scene. Must be the same object during the life of the
   * map.
   */
  fleet?: FleetSource
  /** Shape states that change outside of scene and React, such as those of a playback. */
  playing?: StateSource | null
  /** Links maps to the same view; only the leading map flies to selections. */
  together?: { views: ViewLink; leads: boolean }
  /** Accessible name of the map, announced on focus. */
  title: string
  /** Initial view; later changes are reported by `onView`. */
  view: Viewport
  /**
   * Whether `view` was chosen by a user. If so, it is the center of the canvas, otherwise of the uncovered
   * part.
   */
  isExact: boolean
  covered: CoveredEdges
  isMetric: boolean
  requestHeaders: () => Record<string, string>
  /** Dims the old map while new data is loading. */
  isDimmed: boolean
  onView: (view: Viewport) => void
  onSelect: (id: string | null) => void
  /** Called with a place that was clicked where there is nothing, after `onSelect`. */
  onPress?: (lon: number, lat: number) => void
  /** Called with the feature under the pointer; null if there is none or it is selected. */
  onHover?: (id: string | null) => void
  /** Bounding box of a shape; null while unknown. */
  findShape: (id: string) => Box | null
  /** A requested place: the map flies there once per object, with zoom `least` at least. */
  goal?: { box: Box; least: number } | null
  /**
   * Whether the user is already looking at a shape, such as a newly drawn one. The map then flies to it only
   * if it is not visible.
   */
  isLookedAt?: (id: string) => boolean
  /** Renders the card of the shape under the pointer. */
  hoverCard: (id: string) => ReactNode
}

/** Drawn instead of each map below it: tests of screens have no graphics card. */
export const MapStandIn = createContext<ComponentType<MapViewProps> | null>(null)
