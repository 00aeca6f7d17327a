import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Box } from '#contract/place.ts'
import { BasemapNotice } from './attribution/basemap-notice.tsx'
import { MapAttribution } from './attribution/map-attribution.tsx'
import type { FleetSource } from './layers/fleet-points.ts'
import { MapBridge } from './map-bridge.ts'
import type { MapScene } from './map-scene.ts'
import styles from './map-view.module.css'
import type { StateSource } from './map-layer.ts'
import type { ViewLink } from './view-link.ts'
import { roundViewport, isSameViewport, type Viewport } from './viewport.ts'

const retryIntervalMs = 300

/** Flies to a selection that did not come from a touch on the map; asks every 300 ms until it is known where the shape is. */
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

/** Pixels at each edge that something floats over. */
export interface CoveredEdges {
  top: number
  right: number
  bottom: number
  left: number
}

interface Props {
  scene: MapScene
  /** A fleet that is drawn as it moves, past the scene; the same one as long as the map is there. */
  fleet?: FleetSource
  /** States of shapes that change past the scene and past React, such as a playback's. */
  playing?: StateSource | null
  /** Maps that look at the same place; only the one that leads flies to selections. */
  together?: { views: ViewLink; leads: boolean }
  /** What the map is of; read out when it gets the focus. */
  title: string
  /** Where it looks at first; later ones are the map's own to say. */
  view: Viewport
  /** Whether `view` is a place that somebody chose: then it is the middle of the canvas; else of what is left free. */
  isExact: boolean
  covered: CoveredEdges
  isMetric: boolean
  requestHeaders: () => Record<string, string>
  /** The old map stays, dimmed, while new data is on its way. */
  isDimmed: boolean
  onView: (view: Viewport) => void
  onSelect: (id: string | null) => void
  /** The feature under the pointer; null where there is none or it is selected. */
  onHover?: (id: string | null) => void
  /** Where a shape is; null while that is not known. */
  findShape: (id: string) => Box | null
  /** A place that was asked for: the map goes there, from zoom `least` on, once for each object. */
  goal?: { box: Box; least: number } | null
  /** Whether the user looks at a shape already, such as one that was just drawn: then it is only flown to where it is out of view. */
  isLookedAt?: (id: string) => boolean
  /** The small card of the shape under the pointer. */
  hoverCard: (id: string) => ReactNode
}

/** The map: hands scenes to the bridge, and what happens on it to its owner. */
export function MapView({
  scene,
  fleet,
  playing = null,
  together,
  title,
  view,
  isExact,
  covered,
  isMetric,
  requestHeaders,
  isDimmed,
  onView,
  onSelect,
  onHover,
  findShape,
  goal = null,
  isLookedAt,
  hoverCard,
}: Props) {
  const { t } = useTranslation()
  const container = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const bridge = useRef<MapBridge>(null)
  const reportedView = useRef<Viewport>(null)
  const clickedId = useRef<string>(null)
  const [hovered, setHovered] = useState<string | null>(null)
  const [isBroken, setBroken] = useState(false)
  const [attribution, setAttribution] = useState<readonly string[]>([])

  const reportView = useEffectEvent((next: Viewport) => {
    const rounded = roundViewport(next)
    if (reportedView.current && !isSameViewport(rounded, reportedView.current)) onView(rounded)
    reportedView.current = rounded
  })
  const select = useEffectEvent((id: string | null) => {
    clickedId.current = id
    onHover?.(null)
    onSelect(id)
  })
  const hover = useEffectEvent((id: string | null) => {
    setHovered(id)
    onHover?.(id === scene.selected ? null : id)
  })
  const start = useEffectEvent((element: HTMLDivElement) => {
    const offset: [number, number] = isExact
      ? [0, 0]
      : [(covered.left - covered.right) / 2, (covered.top - covered.bottom) / 2]
    const texts = { title, zoomIn: t('map:zoomIn'), zoomOut: t('map:zoomOut') }
    return new MapBridge(
      element,
      scene,
      { view, offset, isMetric, texts, requestHeaders },
      {
        onView: reportView,
        onSelect: select,
        onHover: hover,
        onPointer: (x, y) => positionCard(card.current, x, y),
        onMove: (to) => together?.views.moved(bridge.current, to),
        onAttribution: setAttribution,
      },
      fleet,
    )
  })

  useLayoutEffect(() => {
    try {
      bridge.current = start(container.current!)
      reportedView.current = roundViewport(bridge.current.view())
    } catch (error) {
      // No WebGL, or none left: the rest of the page works without the map.
      console.warn(error)
      setBroken(true)
    }
    return () => {
      bridge.current?.remove()
      bridge.current = null
    }
  }, [])
  // What it is of may be known later than the map.
  useEffect(() => container.current?.querySelector('canvas')?.setAttribute('aria-label', title), [title])
  useEffect(() => bridge.current?.show(scene), [scene])
  useEffect(() => {
    if (!playing) return
    const paint = (): void => bridge.current?.paint(playing.states())
    paint()
    const stop = playing.subscribe(paint)
    return () => {
      stop()
      bridge.current?.paint(null)
    }
  }, [playing])
  const views = together?.views
  useEffect(() => (bridge.current ? views?.join(bridge.current) : undefined), [views])
  const go = (box: Box, minZoom: number): void =>
    bridge.current?.fly(box, minZoom, {
      top: covered.top + 48,
      right: covered.right + 48,
      bottom: covered.bottom + 48,
      left: covered.left + 48,
    })
  const fly = (box: Box): void => {
    if (
      together?.leads === false ||
      (scene.selected !== null && isLookedAt?.(scene.selected) && bridge.current?.shows(box))
    )
      return
    go(box, 9)
  }
  useFlyToSelection(scene.selected, clickedId, findShape, fly)
  const goToGoal = useEffectEvent(go)
  useEffect(() => {
    if (goal) goToGoal(goal.box, goal.least)
  }, [goal])

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
      {isBroken ? null : <MapAttribution texts={attribution} />}
      {'kind' in scene.basemap && scene.basemap.kind === 'own' ? (
        <BasemapNotice {...scene.basemap.problem} />
      ) : null}
      {isBroken ? <p className={styles['failed']}>{t('map:broken')}</p> : null}
    </div>
  )
}

/** Beside the pointer, on whichever side has room. */
function positionCard(card: HTMLDivElement | null, x: number, y: number): void {
  const frame = card?.parentElement
  if (!card || !frame) return
  const left = x + 280 > frame.clientWidth ? x - card.offsetWidth - 14 : x + 14
  const top = y + 130 > frame.clientHeight ? y - card.offsetHeight - 14 : y + 14
  card.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`
}
