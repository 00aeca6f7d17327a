import {
  TerraDrawLineStringMode,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
  type SnapToCustom,
} from 'terra-draw'
import { dataColors, tokens, type Scheme } from '#web/kit/theme.ts'

/** Hit radius of a handle in pixels, large enough for fingers. */
export const handleRadiusPx = 16

/** Modes of the drawing engine in theme colors. The page handles all keys except those ending a drawing. */
export function drawingModes(scheme: Scheme, snap: SnapToCustom) {
  const { teal, panel } = tokens[scheme]
  const accent = dataColors[scheme].categorical[1] as `#${string}`
  const snapping = { toCustom: snap }
  const handle = {
    closingPointColor: accent,
    closingPointOutlineColor: panel,
    closingPointWidth: 6,
    closingPointOutlineWidth: 2,
    snappingPointColor: accent,
    snappingPointOutlineColor: panel,
  } as const
  const keyEvents = { cancel: 'Escape', finish: 'Enter' } as const
  const coordinates = { draggable: true, midpoints: true, deletable: true, snappable: snapping }
  const flags = { feature: { draggable: false, coordinates } }
  return [
    new TerraDrawPolygonMode({
      snapping,
      keyEvents,
      showCoordinatePoints: true,
      styles: {
        fillColor: teal,
        fillOpacity: 0.2,
        outlineColor: teal,
        outlineWidth: 3,
        coordinatePointColor: panel,
        coordinatePointOutlineColor: teal,
        ...handle,
      },
    }),
    new TerraDrawLineStringMode({
      snapping,
      keyEvents,
      showCoordinatePoints: true,
      styles: {
        lineStringColor: teal,
        lineStringWidth: 3,
        coordinatePointColor: panel,
        coordinatePointOutlineColor: teal,
        ...handle,
      },
    }),
    new TerraDrawPointMode({
      styles: { pointColor: teal, pointOutlineColor: panel, pointWidth: 7, pointOutlineWidth: 2 },
    }),
    new TerraDrawSelectMode({
      // The page decides which part is selected, and handles Escape.
      pointerDistance: handleRadiusPx,
      allowManualDeselection: false,
      keyEvents: { deselect: null, delete: null, rotate: null, scale: null },
      flags: { polygon: flags, linestring: flags, point: { feature: { draggable: true } } },
      styles: {
        selectedPolygonColor: teal,
        selectedPolygonFillOpacity: 0.2,
        selectedPolygonOutlineColor: teal,
        selectedPolygonOutlineWidth: 3,
        selectedLineStringColor: teal,
        selectedLineStringWidth: 4,
        selectedPointColor: teal,
        selectedPointOutlineColor: panel,
        selectedPointWidth: 8,
        selectedPointOutlineWidth: 2,
        selectionPointColor: panel,
        selectionPointOutlineColor: teal,
        selectionPointWidth: 6,
        selectionPointOutlineWidth: 2.5,
        midPointColor: teal,
        midPointOutlineColor: panel,
        midPointWidth: 4,
        midPointOutlineWidth: 1.5,
      },
    }),
  ]
}
