import type { ReactNode } from 'react'
import styles from './evaluation-map.module.css'

interface Props {
  title: string
  isSmall: boolean
  isPanelOpen: boolean
  panel: ReactNode
  map: ReactNode
  /** Said over the map: waiting, failed, empty. */
  notice: ReactNode
  /** Stands at bottom right. */
  corner: ReactNode
  drawer: ReactNode
}

/** The frame of an evaluation map: the map to all edges, everything else at its edges. */
export function EvaluationMap({ title, isSmall, isPanelOpen, panel, map, notice, corner, drawer }: Props) {
  return (
    <div className={styles['root']} data-small={isSmall || undefined} data-panel={isPanelOpen || undefined}>
      <h1 className="only-read">{title}</h1>
      {panel}
      {map}
      <div className={styles['over']}>
        <div className={styles['free']}>
          <div className={styles['notice']}>{notice}</div>
          {corner}
        </div>
        <div className={styles['drawer']}>{drawer}</div>
      </div>
    </div>
  )
}
