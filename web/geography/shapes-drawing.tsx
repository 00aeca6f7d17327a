import { useMemo } from 'react'
import type { Geometry } from '#contract/place.ts'
import { boxOf, drawingOf } from './drawing-of.ts'
import styles from './geography.module.css'

interface Props {
  geometries: readonly Geometry[]
  /** What is drawn, for those who do not see it. */
  label: string
  width?: number
  height?: number
}

/** Outlines of shapes without a map below: enough to see whether the right file was chosen. */
export function ShapesDrawing({ geometries, label, width = 640, height = 400 }: Props) {
  const drawing = useMemo(() => {
    const box = boxOf(geometries)
    return box && drawingOf(geometries, box, width - 16, height - 16)
  }, [geometries, width, height])
  return (
    <svg className={styles['drawing']} viewBox={`-8 -8 ${width} ${height}`} role="img" aria-label={label}>
      {drawing ? (
        <>
          <path className={styles['areas']} d={drawing.areas} fillRule="evenodd" />
          <path className={styles['lines']} d={drawing.lines} />
          <path className={styles['points']} d={drawing.points} />
        </>
      ) : null}
    </svg>
  )
}
