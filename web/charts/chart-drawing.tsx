import { Skeleton } from '@mantine/core'
import {
  createContext,
  type KeyboardEvent,
  type Ref,
  use,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { DrawnChart, drawChart } from './echarts-engine.ts'
import type { PreparedChart } from './prepared-chart.ts'
import styles from './chart-panel.module.css'

/** Returns the position to which a key moves: the same at the ends, null for other keys. */
export function findNextPoint(index: number, key: string, count: number, rowLength: number): number | null {
  const moves: Record<string, number> = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: rowLength < count ? index + rowLength : index - 1,
    ArrowUp: rowLength < count ? index - rowLength : index + 1,
    Home: 0,
    End: count - 1,
  }
  if (!Object.hasOwn(moves, key)) return null
  const next = moves[key]!
  return next < 0 || next >= count ? index : next
}

type Engine = Promise<{ drawChart: typeof drawChart }>
let engine: Engine | null = null

/** Loads the engine once for all charts; after a failure, the next chart loads it again. */
const loadEngine = (): Engine =>
  (engine ??= import('./echarts-engine.ts').catch((error: unknown) => {
    engine = null
    throw error
  }))

/** Function that loads the engine. Tests replace it, because jsdom has no canvas. */
export const ChartEngine = createContext(loadEngine)

export interface ChartHandle {
  /** The drawing as an image; null until it is drawn. */
  canvas: () => HTMLCanvasElement | null
}

interface Props {
  title: string
  chart: PreparedChart
  height: number
  handle?: Ref<ChartHandle>
}

/** Draws a prepared chart. The engine is loaded on demand. Arrow keys read the values one by one. */
export function ChartDrawing({ title, chart, height, handle }: Props) {
  const { t } = useTranslation()
  const load = use(ChartEngine)
  const element = useRef<HTMLDivElement>(null)
  const [drawnChart, setDrawnChart] = useState<DrawnChart | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [selectedIndex, setSelectedIndex] = useState(0)
  // A new chart may have fewer positions.
  const index = Math.min(selectedIndex, Math.max(0, chart.points.length - 1))
  useEffect(() => {
    let isUnmounted = false
    let created: DrawnChart | null = null
    load()
      .then((loaded) => {
        if (isUnmounted || !element.current) return
        created = loaded.drawChart(element.current)
        setDrawnChart(created)
      })
      .catch((error: unknown) => {
        console.warn(error)
        setHasFailed(true)
      })
    return () => {
      isUnmounted = true
      created?.remove()
    }
  }, [load])
  useEffect(() => {
    try {
      drawnChart?.show(chart)
    } catch (error) {
      // A chart that cannot be drawn must not break the page.
      console.warn(error)
      setHasFailed(true)
    }
  }, [drawnChart, chart])
  useImperativeHandle(handle, () => ({ canvas: () => drawnChart?.canvas() ?? null }), [drawnChart])
  const selectPoint = (next: number | null): void => {
    if (next !== null) setSelectedIndex(next)
    drawnChart?.point(next)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return selectPoint(null)
    const next = findNextPoint(index, event.key, chart.points.length, chart.rowLength)
    if (next === null) return
    event.preventDefault()
    selectPoint(next)
  }
  if (hasFailed) return <p className={styles['note']}>{t('charts:failed')}</p>
  return (
    <div className={styles['drawing']} style={{ height }}>
      <div ref={element} className={styles['canvas']} role="img" aria-label={`${title}. ${chart.summary}`} />
      {drawnChart ? null : (
        <Skeleton className={styles['placeholder'] ?? ''} role="status" aria-label={t('charts:loading')} />
      )}
      {/* A slider, because screen readers announce its value at every arrow key. */}
      <div
        className={styles['reader']}
        role="slider"
        tabIndex={0}
        aria-label={t('charts:read', { title })}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, chart.points.length - 1)}
        aria-valuenow={index}
        aria-valuetext={chart.points[index]?.replaceAll('\n', ', ') ?? t('charts:noData')}
        onKeyDown={handleKey}
        onFocus={() => selectPoint(index)}
        onBlur={() => selectPoint(null)}
      />
    </div>
  )
}
