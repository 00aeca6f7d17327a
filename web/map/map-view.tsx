import {
  createElement,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type RefObject,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Box } from '#contract/place.ts'
import { BasemapNotice, MapAttribution } from './attribution/map-attribution.tsx'
import { MapBridge } from './map-bridge.ts'
import type { MapLayer } from './map-layer.ts'
import { type CoveredEdges, MapStandIn, type MapViewProps } from './map-view-props.ts'
import styles from './map-view.module.css'
import { type Viewport, isSameViewport, roundViewport } from './viewport.ts'

const noEdges: CoveredEdges = { top: 0, right: 0, bottom: 0, left: 0 }

const retryIntervalMs = 300
/** Pixels between the uncovered edges of the map and a box to which it flies. */
const flightMargin = 48
/** Minimum zoom after flying to a selection. */
const minSelectionZoom = 9
/** Space that the card beside the pointer may need, and its distance from the pointer, in pixels. */
const cardSize = { width: 280, height: 130 }
const cardDistance = 14
/** Minimum distance of the card from the left and upper edge of the map, in pixels. */
const minCardInset = 4

/** Flies to a selection that was not clicked on the map. Retries until the position of the shape is known. */
function useFlyToSelection(
  selected: string | null,
  clickedId: RefObject<string | null>,
  find: (id: string) => Box | null,
  fly: (box: Box) => void,
): void {
  const attempt = useEffectEvent((id: string): boolean => {
    const box = find(id)
    if (box) fly(box)
    return box !== null
  })
  useEffect(() => {
    const wasClicked = selected === clickedId.current
    clickedId.current = null
    if (selected === null || wasClicked || attempt(selected)) return
    const timer = setInterval(() => attempt(selected) && clearInterval(timer), retryIntervalMs)
    return () => clearInterval(timer)
  }, [selected, clickedId])
}

/** The map, or what a test provides in its place. */
export function MapView(props: MapViewProps) {
  return createElement(use(MapStandIn) ?? DrawnMap, props)
}

/** The map: passes scenes to MapBridge and events to its parent. */
function DrawnMap(props: MapViewProps) {
  const { scene, covered = noEdges, isDimmed, hoverCard } = props
  const { t } = useTranslation()
  const { container, card, bridge, clickedId, hovered, hasFailed, attribution } = useMapBridge(props)
  useMapContent(bridge, container, props)
  useFlights(bridge, clickedId, props)
  return (
    <div
      className={styles['frame']}
      style={
        { '--covered-left': `${covered.left}px`, '--covered-bottom': `${covered.bottom}px` } as CSSProperties
      }
    >
      <div ref={container} className={styles['canvas']} />
      <div className={styles['veil']} data-shown={isDimmed || undefined} />
      <div ref={card} className={styles['card']} hidden={hovered === null}>
        {hovered === null ? null : hoverCard(hovered)}
      </div>
      {hasFailed ? null : <MapAttribution texts={attribution} />}
      {'kind' in scene.basemap && scene.basemap.kind === 'own' ? (
        <BasemapNotice {...scene.basemap.problem} />
      ) : null}
      {hasFailed ? <p className={styles['failed']}>{t('map:noWebGl')}</p> : null}
    </div>
  )
}

/** Creates the map in `container` and removes it with the component. Reports what the user does on it. */
function useMapBridge({
  scene,
  fleet,
  linkedViews,
  title,
  view,
  isExact,
  covered = noEdges,
  isMetric,
  requestHeaders,
  onViewChange,
  onSelect,
  onPress,
  onHover,
}: MapViewProps) {
  const { t } = useTranslation()
  const container = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const bridge = useRef<MapBridge>(null)
  const reportedView = useRef<Viewport>(null)
  // A link with a view and a selection opens at that view.
  const clickedId = useRef(isExact ? scene.selected : null)
  const [hoveredId, setHoveredId] = useState<string | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [attribution, setAttribution] = useState<readonly string[]>([])
  const reportView = useEffectEvent((next: Viewport) => {
    const rounded = roundViewport(next)
    if (reportedView.current && !isSameViewport(rounded, reportedView.current)) onViewChange(rounded)
    reportedView.current = rounded
  })
  const select = useEffectEvent((id: string | null) => {
    clickedId.current = id
    onHover?.(null)
    onSelect(id)
  })
  const press = useEffectEvent((lon: number, lat: number) => onPress?.(lon, lat))
  const hover = useEffectEvent((id: string | null) => {
    setHoveredId(id)
    onHover?.(id === scene.selected ? null : id)
  })
  const start = useEffectEvent((element: HTMLDivElement) => {
    const offset: [number, number] = isExact
      ? [0, 0]
      : [(covered.left - covered.right) / 2, (covered.top - covered.bottom) / 2]
    const texts = { title, zoomIn: t('map:zoomIn'), zoomOut: t('map:zoomOut') }
    return new MapBridge({
      container: element,
      scene,
      options: { view, offset, isMetric, texts, requestHeaders },
      events: {
        onViewChange: reportView,
        onSelect: select,
        onPress: press,
        onHover: hover,
        onPointer: (x, y) => positionCard(card.current, x, y),
        onMove: (to) => linkedViews?.link.handleMove(bridge.current, to),
        onAttribution: setAttribution,
      },
      fleet,
    })
  })
  useLayoutEffect(() => {
    try {
      bridge.current = start(container.current!)
      reportedView.current = roundViewport(bridge.current.view())
    } catch (error) {
      // No WebGL context: the rest of the page works without the map.
      console.warn(error)
      setHasFailed(true)
    }
    return () => {
      bridge.current?.remove()
      bridge.current = null
    }
  }, [])
  return { container, card, bridge, clickedId, hovered: hoveredId, hasFailed, attribution }
}

/** Draws the title, the scene, the playback and the linked views, each when it changes. */
function useMapContent(
  bridge: RefObject<MapBridge | null>,
  container: RefObject<HTMLDivElement | null>,
  { title, scene, playing = null, linkedViews }: MapViewProps,
): void {
  // The title may become known after the map was created.
  useEffect(
    () => container.current?.querySelector('canvas')?.setAttribute('aria-label', title),
    [container, title],
  )
  useEffect(() => bridge.current?.show(scene), [bridge, scene])
  useEffect(() => {
    if (!playing) return
    const paint = (states: MapLayer['states'] | null): void => bridge.current?.paint(states)
    const paintCurrent = (): void => paint(playing.states())
    paintCurrent()
    const stop = playing.subscribe(paintCurrent)
    return () => {
      stop()
      paint(null)
    }
  }, [bridge, playing])
  const link = linkedViews?.link
  useEffect(() => (bridge.current ? link?.join(bridge.current) : undefined), [bridge, link])
}

/** Flies to selections and to the camera target of the parent. */
function useFlights(
  bridge: RefObject<MapBridge | null>,
  clickedId: RefObject<string | null>,
  { scene, covered = noEdges, linkedViews, findShape, isLookedAt, cameraTarget = null }: MapViewProps,
): void {
  const flyToBox = (box: Box, minZoom: number): void =>
    bridge.current?.fly(box, minZoom, {
      top: covered.top + flightMargin,
      right: covered.right + flightMargin,
      bottom: covered.bottom + flightMargin,
      left: covered.left + flightMargin,
    })
  const flyToSelection = (box: Box): void => {
    if (
      linkedViews?.leads === false ||
      (scene.selected !== null && isLookedAt?.(scene.selected) && bridge.current?.shows(box))
    )
      return
    flyToBox(box, minSelectionZoom)
  }
  useFlyToSelection(scene.selected, clickedId, findShape, flyToSelection)
  const flyToTarget = useEffectEvent(flyToBox)
  useEffect(() => {
    if (cameraTarget) flyToTarget(cameraTarget.box, cameraTarget.minZoom)
  }, [cameraTarget])
}

/** Positions the card beside the pointer, on the side with enough room. */
function positionCard(card: HTMLDivElement | null, x: number, y: number): void {
  const frame = card?.parentElement
  if (!card || !frame) return
  const left = x + cardSize.width > frame.clientWidth ? x - card.offsetWidth - cardDistance : x + cardDistance
  const top =
    y + cardSize.height > frame.clientHeight ? y - card.offsetHeight - cardDistance : y + cardDistance
  card.style.transform = `translate(${Math.max(minCardInset, left)}px, ${Math.max(minCardInset, top)}px)`
}
