import type { ReactNode } from 'react'
import styles from './reading-page.module.css'

/** Layout of a page with text, as opposed to a full-screen map. */
export function ReadingPage({ children }: { children: ReactNode }) {
  return <div className={styles['page']}>{children}</div>
}
