import type { ReactNode } from 'react'
import styles from './reading-page.module.css'

/** A page to read, as opposed to a map that fills the screen. */
export function ReadingPage({ children }: { children: ReactNode }) {
  return <div className={styles['page']}>{children}</div>
}
