import styles from './login-screen.module.css'

/** A success message, in green and announced. */
export function GoodNote({ title, children }: { title: string; children?: string }) {
  return (
    <div role="status" className={styles['good']}>
      <p className={styles['strong']}>{title}</p>
      {children ? <p className={styles['plain']}>{children}</p> : null}
    </div>
  )
}
