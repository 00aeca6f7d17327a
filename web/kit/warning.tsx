import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './warning.module.css'

interface Props {
  title: string
  children?: ReactNode
}

/** A warning that is not an error. */
export function Warning({ title, children }: Props) {
  return (
    <div role="status" className={styles['box']}>
      <IconAlertTriangle size={20} aria-hidden="true" className={styles['icon'] ?? ''} />
      <div>
        <p className={styles['title']}>{title}</p>
        {children}
      </div>
    </div>
  )
}
