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
  /** Stands between the map and the drawer, over the whole width. */
  axis?: ReactNode
  drawer: ReactNode
  /** What is always said at the upper left of the map; what else is said stands below it. */
  status?: ReactNode
}

/** The frame of an evaluation map: the map to all edges, everything else at its edges. */
export function EvaluationMap({
  title,
  isSmall,
  isPanelOpen,
  panel,
  map,
  notice,
  corner,
  axis,
  drawer,
  status,
}: Props) {
  return (
    <div
      className={styles['root']}
      data-small={isSmall || undefined}
      data-panel={isPanelOpen || undefined}
      data-status={status ? true : undefined}
    >
      <h1 className="only-read">{title}</h1>
      {panel}
      {map}
      <div className={styles['over']}>
        <div className={styles['free']}>
          <div className={styles['notice']}>{notice}</div>
          {corner}
          {status ? <div className={styles['status']}>{status}</div> : null}
        </div>
        {axis ? <div className={styles['drawer']}>{axis}</div> : null}
        <div className={styles['drawer']}>{drawer}</div>
      </div>
    </div>
  )
}
