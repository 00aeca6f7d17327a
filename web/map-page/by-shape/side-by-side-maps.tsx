import type { ReactNode } from 'react'
import styles from './side-by-side-maps.module.css'

interface Props {
  isSmall: boolean
  maps: readonly { key: string; label: string; map: ReactNode }[]
}

/** Two maps side by side, on a phone one below the other, each with its name. */
export function SideBySideMaps({ isSmall, maps }: Props) {
  return (
    <div className={styles['maps']} data-small={isSmall || undefined}>
      {maps.map(({ key, label, map }) => (
        <div key={key} className={styles['map']}>
          {map}
          <p className={styles['label']}>{label}</p>
        </div>
      ))}
    </div>
  )
}
