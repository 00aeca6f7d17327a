import styles from './login-screen.module.css'

/** Something went well: said in green, and aloud. */
export function GoodNote({ title, children }: { title: string; children?: string }) {
  return (
    <div role="status" className={styles['good']}>
      <p className={styles['strong']}>{title}</p>
      {children ? <p className={styles['plain']}>{children}</p> : null}
    </div>
  )
}
