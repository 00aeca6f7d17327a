import { IconTools } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { getCurbWeek } from '#contract/curb-map.ts'
import { type Layer, listLayers } from '#contract/geography.ts'
import type { Box, Geometry } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import { tokens } from '#web/kit/theme.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { curbZonesLayer } from '#web/map/layers/curb-zones-layer.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import { MapView } from '#web/map/map-view.tsx'
import { pageViewProps } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { MapPage } from '#web/map-page/map-page.tsx'
import { SidePanel } from '#web/map-page/side-panel.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import type { DrawingBoard } from '#web/map/drawing-tools/drawing-board.ts'
import { flag, searchParams, tableParams, text, view } from '#web/shell/search-params.ts'
import { toDrawingBoard } from './drawing-board.ts'
import { findCurbAlong, noCrossStreets } from './along-street.ts'
import { useZoneEditing, type ZoneEditing } from './use-zone-editing.ts'
import { useZoneEditor } from './zone-editor.tsx'
import { formatZoneName } from './zone-name.ts'
import { ZonesTable } from './zones-table.tsx'
import type { Subject } from './zone-operations.ts'

/** URL parameters of the editor of curb zones. */
const zonesSearch = searchParams({
  /** The zone that is selected at first. */
  zone: text(200),
  view,
  results: flag,
  ...tableParams,
})

/** Default distance of a curb from the center of its street, in meters. */
const defaultOffsetMeters = 5
const dayMs = 86_400_000
/** Zoom at which single zones can be edited. */
const openingZoom = 14.5

/** Draws and edits the curb zones of a region on a map. */
export function ZonesEditScreen() {
  const region = useRegion()
  return <ZonesEditor key={region.regionId} region={region} />
}

function ZonesEditor({ region }: { region: Region }) {
  const { t } = useTranslation()
  const { search, replace, push } = useSearchState(zonesSearch)
  const page = useMapPage(search, replace)
  const at = useOpenedAt()
  const [offsetMeters, setOffsetMeters] = useState(defaultOffsetMeters)
  const [sketch, setSketch] = useState<Geometry | null>(null)
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const viewProps = pageViewProps({ page, search, region, adjust: replace })
  const [mapView, setMapView] = useState(viewProps.view)
  const { cameraTarget, isLoading: isTargetLoading } = useOpeningTarget(
    region.regionId,
    at,
    search.view === undefined,
  )
  const editing = useZoneEditing(region.regionId, layers, mapView)
  const { dispatch, visibleZones, subjects } = editing
  const editor = useZoneEditor({
    regionId: region.regionId,
    isMetric: region.isMetric,
    editing,
    offsetMeters,
    onOffset: setOffsetMeters,
  })
  const [onlyZone] = subjects.length === 1 ? subjects : []
  const board = useDrawingBoard(editing, onlyZone, offsetMeters, setSketch)
  const preview = useStreetPreview(editing, sketch, offsetMeters)
  const scene = useEditingScene({
    editing,
    board,
    preview,
    isolated: board?.tool === 'corners' ? onlyZone?.id : undefined,
    layers,
    at,
  })
  const title = t('shell:pages.curbZones')
  const hint = getEditingHint(t, editing, onlyZone !== undefined)
  const zoneById = useMemo(() => new Map(visibleZones.map((zone) => [zone.id, zone])), [visibleZones])
  return (
    <>
      <MapPage
        page={page}
        selected={null}
        onSelect={() => dispatch({ type: 'select', ids: [] })}
        title={title}
        sidePanel={
          <SidePanel
            title={title}
            isSmall={page.isSmall}
            isOpen={page.isPanelOpen}
            onOpen={page.setIsPanelOpen}
            words={{
              name: title,
              open: t('curb:editing.tool.label'),
              hide: t('curb:editing.hidePanel'),
              icon: <IconTools size={18} />,
            }}
            foot={editor.foot}
          >
            {editor.panel}
          </SidePanel>
        }
        hasDownloads={false}
        opener={{ text: t('curb:editing.tool.label'), icon: <IconTools size={18} /> }}
        map={
          <MapView
            {...viewProps}
            requestHeaders={requestHeaders}
            scene={scene}
            title={t('curb:editing.map', { region: region.text })}
            isMetric={region.isMetric}
            isDimmed={false}
            onViewChange={(view) => {
              setMapView(view)
              viewProps.onViewChange(view)
            }}
            onSelect={(id) => dispatch({ type: 'pick', id })}
            cameraTarget={cameraTarget}
            findShape={(id) => {
              const zone = zoneById.get(id)
              return zone ? boundingBox(zone.now.geometry) : null
            }}
            hoverCard={(id) => {
              const zone = zoneById.get(id)
              return zone ? formatZoneName(t, zone.now) : ''
            }}
          />
        }
        notice={
          <MapNotice
            isWaiting={isTargetLoading || editing.isLoading}
            error={editing.error}
            onRetry={editing.retry}
            empty={hint === null ? null : <span role="status">{hint}</span>}
          />
        }
        corner={null}
        results={(height) => (
          <ZonesTable
            editing={editing}
            isMetric={region.isMetric}
            height={height}
            state={search}
            onStateChange={push}
          />
        )}
      />
      {editor.dialogs}
    </>
  )
}

/** Moves the first view to the zones, which may cover only a small part of the region. */
function useOpeningTarget(regionId: string, at: number, isWanted: boolean) {
  const [isMoved] = useState(isWanted)
  const week = useEndpointQuery(
    getCurbWeek,
    { params: { region_id: regionId }, query: { at: Math.floor(at / dayMs) * dayMs } },
    { enabled: isMoved },
  )
  const [cameraTarget, setCameraTarget] = useState<{ box: Box; minZoom: number } | null>(null)
  if (week.data?.bbox && cameraTarget === null) setCameraTarget({ box: week.data.bbox, minZoom: openingZoom })
  return { cameraTarget, isLoading: week.isLoading }
}

/** Returns the drawing tools on the map with their event handlers; null if nothing is drawn or edited. */
function useDrawingBoard(
  { state, dispatch, snapTo, neighbors, streets }: ZoneEditing,
  onlyZone: Subject | undefined,
  offsetMeters: number,
  setSketch: (sketch: Geometry | null) => void,
) {
  const scheme = useMapScheme()
  return useMemo(
    () =>
      toDrawingBoard(
        state,
        { onlyZone: onlyZone ?? null, scheme, snapTo: state.isSnapping ? snapTo : [] },
        {
          onChoose: (part) => dispatch({ type: 'part', part }),
          onPartChange: (positions) => dispatch({ type: 'moved', positions }),
          onSketch: setSketch,
          onDrawn: (geometry) => {
            setSketch(null)
            if (geometry.type === 'Point') dispatch({ type: 'split', cut: geometry.coordinates })
            if (geometry.type !== 'LineString') return
            const ends = state.isSnapping ? neighbors.ends : []
            const curb = findCurbAlong(geometry.coordinates, streets, { offsetMeters, neighbors: ends })
            if (state.tool === 'street') dispatch({ type: 'drawn', curb })
            else
              dispatch({
                type: 'drawn',
                curb: {
                  line: geometry.coordinates,
                  streetName: curb?.streetName ?? '',
                  side: curb?.side ?? null,
                  crossStreets: curb?.crossStreets ?? noCrossStreets,
                },
              })
          },
        },
      ),
    [state, onlyZone, scheme, snapTo, neighbors, streets, offsetMeters, dispatch, setSketch],
  )
}

/** Returns the curb along the street that is being drawn; null for other tools or if there is no street. */
function useStreetPreview(
  { state, streets, neighbors }: ZoneEditing,
  sketch: Geometry | null,
  offsetMeters: number,
) {
  return useMemo(
    () =>
      state.tool === 'street' && sketch?.type === 'LineString'
        ? findCurbAlong(sketch.coordinates, streets, {
            offsetMeters,
            neighbors: state.isSnapping ? neighbors.ends : [],
          })
        : null,
    [state.tool, state.isSnapping, sketch, streets, offsetMeters, neighbors],
  )
}

interface EditingSceneInput {
  editing: ZoneEditing
  board: DrawingBoard | null
  preview: ReturnType<typeof useStreetPreview>
  /** The zone with the corners that the board draws. */
  isolated: string | undefined
  layers: readonly Layer[] | null
  at: number
}

/** Returns the map with selected, changed and other zones, each in its color. */
function useEditingScene({ editing, board, preview, isolated, layers, at }: EditingSceneInput) {
  const { state, draft, visibleZones } = editing
  const scheme = useMapScheme()
  const basemap = useBasemap(layers, at)
  const layer = useMemo(() => {
    const zones = visibleZones
      .map(({ id, now }) => ({ id, geometry: now.geometry }))
      .filter(({ id }) => id !== isolated)
    if (preview) zones.push({ id: 'preview', geometry: { type: 'LineString', coordinates: preview.line } })
    /** Returns the index in `colors`: selected, changed, other. */
    const getBin = (id: string): ShapeBin => {
      if (state.selected.includes(id)) return 0
      return draft.has(id) || id === 'preview' ? 1 : 2
    }
    return curbZonesLayer({
      key: 'curb-editing',
      zones,
      binById: new Map(zones.map(({ id }) => [id, getBin(id)])),
      colors: [tokens[scheme].teal, tokens[scheme].amber, tokens[scheme].slate],
      scheme,
    })
  }, [visibleZones, draft, state.selected, preview, isolated, scheme])
  return useMemo(
    () => ({ scheme, basemap, layers: [layer], heat: null, selected: null, board }),
    [scheme, basemap, layer, board],
  )
}

/** Returns what to do with the active tool, or why not all zones are shown; null if neither. */
function getEditingHint(
  t: TFunction,
  { state, isTooFar, isComplete }: ZoneEditing,
  isSingle: boolean,
): string | null {
  if (state.tool === 'split' && !isSingle) return t('curb:editing.tool.needsOne')
  if (state.tool !== 'select') return t(`curb:editing.hint.${state.tool}`)
  if (isTooFar) return t('curb:regulations.zones.zoomIn')
  return isComplete ? null : t('curb:regulations.zones.incomplete')
}
