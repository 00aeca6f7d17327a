import { IconStack2, IconPolygon } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getShape, listLayers, type ShapeVersion, isBasemapLevel, type Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { resultsBarHeight } from '#web/map-page/covered-map.ts'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { firstView } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { useFocusHandover } from '#web/kit/focus.ts'
import { FullLoading } from '#web/kit/full-loading.tsx'
import { sizes } from '#web/kit/theme.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { flag, searchParams, tableParams, text, view } from '#web/shell/search-params.ts'
import type { EditingView } from './editing/editing-view.ts'
import { GeographyPanel } from './geography-panel.tsx'
import { LayerPanel } from './layer-panel.tsx'
import { ShapeDetails } from './shape-details.tsx'
import { ShapeTable } from './shape-table.tsx'
import { useGeographyScene } from './use-geography-scene.ts'
import { useFlyTo } from './use-fly-to.ts'
import styles from './geography.module.css'

/** URL parameters of the geographies: layer (by default the primary one), shape, table and editor. */
const geographiesSearch = searchParams({
  layer: text(),
  shape: text(),
  view,
  results: flag,
  edit: flag,
  ...tableParams,
})

/** The layer on the map: the requested one, else the primary layer, else the first that is no basemap. */
export const shownLayer = <L extends Pick<Layer, 'shape_layer_uuid' | 'level'>>(
  layers: readonly L[],
  fromUrl: string | undefined,
): L | null =>
  layers.find((layer) => layer.shape_layer_uuid === fromUrl) ??
  layers.find((layer) => layer.level === 'l1') ??
  layers.find((layer) => !isBasemapLevel(layer.level)) ??
  layers[0] ??
  null

/** Shown when the region has no layers. */
export function NoLayers({ canEdit }: { canEdit: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('geography:empty.title')} icon={<IconPolygon />}>
      {t(canEdit ? 'geography:empty.text' : 'geography:empty.noPermission')}
    </EmptyState>
  )
}

const Editor = lazy(async () => ({ default: (await import('./editing/editor.tsx')).Editor }))

/** Layers with at most this many shapes are loaded for labels inside the shapes; larger ones use tiles. */
const maxLoadedShapes = 1500

/** The layers of a region, their shapes on a map and in a table, and the tools to edit them. */
export function GeographiesScreen() {
  const region = useRegion()
  return <Geographies key={region.regionId} region={region} />
}

/** The page of the layers: list or editor, map, and results. */
function Geographies({ region }: { region: Region }) {
  const { t } = useTranslation()
  const state = useGeographies(region)
  const { page, search, change, response, layers, layer, canEdit, isEditing, editing, selected, select } =
    state
  const title = t('shell:pages.geographies')
  const hint = isEditing && editing?.hint ? <span role="status">{editing.hint}</span> : null
  return (
    <MapPage
      page={page}
      selected={isEditing ? null : selected}
      onSelect={select}
      title={title}
      hasDownloads={false}
      opener={{ text: t('geography:layers'), icon: <IconStack2 size={18} /> }}
      sidePanel={<SidePanel title={title} state={state} />}
      map={<GeographyMap title={title} region={region} state={state} />}
      notice={
        <MapNotice
          isWaiting={response.isLoading}
          error={layers ? null : response.error}
          onRetry={() => void response.refetch()}
          empty={layers?.length === 0 ? <NoLayers canEdit={canEdit} /> : hint}
        />
      }
      corner={
        selected === null || isEditing ? null : (
          <ShapeDetails
            key={selected}
            shapeUuid={selected}
            canEdit={canEdit && layer?.editable === true}
            shown={state.oldVersion?.version ?? null}
            onShow={state.setOldVersion}
            onClear={() => select(null)}
          />
        )
      }
      results={(height) =>
        layer ? (
          <ShapeTable
            key={layer.shape_layer_uuid}
            layer={layer}
            height={height}
            selected={search.shape}
            onSelect={select}
            state={search}
            onStateChange={change}
          />
        ) : null
      }
    />
  )
}

/** Returns the layers, the selection and the editing of a region. */
function useGeographies(region: Region) {
  const { can } = useMe()
  const scheme = useMapScheme()
  const { search, push: change, replace: adjust } = useSearchState(geographiesSearch)
  const page = useMapPage(search, adjust)
  const { isSmall, isPanelOpen, setIsPanelOpen } = page
  const at = useOpenedAt()
  const [oldVersion, setOldVersion] = useState<ShapeVersion | null>(null)
  const [openedLayer, setOpenedLayer] = useState<{ layer: string } | null>(null)
  const [editing, setEditing] = useState<EditingView | null>(null)
  const response = useEndpointQuery(listLayers, { params: { region_id: region.regionId } })
  const layers = response.data?.items ?? null
  const layer = layers && shownLayer(layers, search.layer)
  const canEdit = can('edit_geography')
  const isEditing = search.edit === true && !isSmall && canEdit && layer?.editable === true
  const shapes = useShapes(layer && layer.shape_count <= maxLoadedShapes ? layer : null)
  const shapesById = useMemo(
    () => new Map((shapes.data ?? []).map((shape) => [shape.shape_uuid, shape])),
    [shapes.data],
  )
  const selected = search.shape ?? null
  const selectedShape = useEndpointQuery(
    getShape,
    { params: { region_id: region.regionId, shape_uuid: selected ?? '' } },
    { enabled: selected !== null && !selected.startsWith('new:') },
  )
  const scene = useGeographyScene({
    layers,
    layer,
    shapes: shapes.data ?? null,
    scheme,
    selected,
    old: oldVersion?.geom ?? null,
    editing: isEditing ? editing : null,
    at,
  })
  const select = useCallback(
    (id: string | null) => {
      setOldVersion(null)
      change({ shape: id ?? undefined })
    },
    [change],
  )
  const { passFocus: focusTools, receiverRef: toolsRef } = useFocusHandover()
  const { passFocus: focusEditButton, receiverRef: editButtonRef } = useFocusHandover()
  const lastEdited = useRef<string>(null)
  const selectEdited = useCallback(
    (id: string | null) => {
      lastEdited.current = id
      select(id)
    },
    [select],
  )
  const openLayer = (shapeLayerUuid: string) => {
    setOldVersion(null)
    setOpenedLayer({ layer: shapeLayerUuid })
    change({ layer: shapeLayerUuid, shape: undefined, edit: undefined, page: undefined })
    if (isSmall) setIsPanelOpen(false)
  }
  const covered = {
    top: 0,
    right: 0,
    bottom: resultsBarHeight(isSmall),
    left: isPanelOpen && !isSmall ? sizes.panel : 0,
  }
  const { view, isExact } = firstView(search.view, region, window.innerWidth - covered.left)
  const cameraTarget = useFlyTo(layer, openedLayer, view)
  const findShape = (id: string) => {
    const geom =
      editing?.draft.find((shape) => shape.id === id)?.geom ??
      shapesById.get(id)?.geom ??
      (selectedShape.data?.shape_uuid === id ? selectedShape.data.geom : null)
    return geom && boundingBox(geom)
  }
  return {
    page,
    search,
    change,
    adjust,
    response,
    layers,
    layer,
    canEdit,
    isEditing,
    editing,
    setEditing,
    shapesById,
    selected,
    oldVersion,
    setOldVersion,
    scene,
    select,
    selectEdited,
    lastEdited,
    open: openLayer,
    focusTools,
    toolsRef,
    focusEditButton,
    editButtonRef,
    covered,
    view,
    isExact,
    cameraTarget,
    findShape,
  }
}

type GeographiesState = ReturnType<typeof useGeographies>

/** The list of layers, or the editor of one. */
function SidePanel({ title, state }: { title: string; state: GeographiesState }) {
  const { page, search, change, layer, canEdit, isEditing, selected, select } = state
  const { isSmall, isPanelOpen, setIsPanelOpen } = page
  return isEditing && layer ? (
    <Suspense
      fallback={
        <GeographyPanel title={title} isSmall={isSmall} isOpen onOpen={setIsPanelOpen}>
          <FullLoading />
        </GeographyPanel>
      }
    >
      <Editor
        key={layer.shape_layer_uuid}
        layer={layer}
        view={search.view}
        selected={selected}
        onSelect={state.selectEdited}
        onViewChange={state.setEditing}
        toolsRef={state.toolsRef}
        onClose={() => {
          state.focusEditButton()
          state.setEditing(null)
          change({ edit: undefined, shape: selected?.startsWith('new:') ? undefined : search.shape })
        }}
        isOpen={isPanelOpen}
        onOpen={setIsPanelOpen}
      />
    </Suspense>
  ) : (
    <GeographyPanel title={title} isSmall={isSmall} isOpen={isPanelOpen} onOpen={setIsPanelOpen}>
      <LayerPanel
        response={state.response}
        layer={layer}
        canEdit={canEdit}
        isSmall={isSmall}
        onOpen={state.open}
        editButtonRef={state.editButtonRef}
        onEdit={() => {
          state.focusTools()
          change({ layer: layer?.shape_layer_uuid, edit: true })
        }}
        onOpenShape={select}
        onDeleted={() => change({ layer: undefined, shape: undefined })}
      />
    </GeographyPanel>
  )
}

interface GeographyMapProps {
  title: string
  region: Region
  state: GeographiesState
}

/** The map of the layer; while editing, it also draws the draft and passes on picked shapes. */
function GeographyMap({ title, region, state }: GeographyMapProps) {
  const { t } = useTranslation()
  const hover = useHoverParam()
  const { layer, isEditing, editing, select } = state
  const onPick = isEditing ? editing?.onPick : null
  return (
    <MapView
      requestHeaders={requestHeaders}
      scene={state.scene}
      title={layer ? t('geography:mapOf', { layer: layer.layer_name, region: region.text }) : title}
      view={state.view}
      isExact={state.isExact}
      covered={state.covered}
      isMetric={region.isMetric}
      isDimmed={false}
      onViewChange={({ lon, lat, zoom }) => state.adjust({ view: [lon, lat, zoom] })}
      onHover={hover}
      onSelect={(id) => (onPick ? onPick(id) : select(id))}
      findShape={state.findShape}
      cameraTarget={state.cameraTarget}
      isLookedAt={(id) => id === state.lastEdited.current}
      hoverCard={(id) => (
        <HoverName
          regionId={region.regionId}
          id={id}
          knownName={
            editing?.draft.some((shape) => shape.id === id)
              ? t('geography:editing.unsaved')
              : state.shapesById.get(id)?.shape_name
          }
        />
      )}
    />
  )
}

interface NameProps {
  regionId: string
  id: string
  /** The name, if it is already loaded. */
  knownName: string | undefined
}

/** The name of the shape under the pointer. */
function HoverName({ regionId, id, knownName: known }: NameProps) {
  const { t } = useTranslation()
  const { data } = useEndpointQuery(
    getShape,
    { params: { region_id: regionId, shape_uuid: id } },
    { enabled: known === undefined && !id.startsWith('new:') },
  )
  return <span className={styles['hover']}>{known ?? data?.shape_name ?? t('kit:loading')}</span>
}
