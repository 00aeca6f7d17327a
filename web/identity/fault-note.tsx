import styles from './login-screen.module.css'

/** What failed, under which heading. Both are texts already. */
export interface Fault {
  title: string
  text: string
}

export function FaultNote({ fault }: { fault: Fault | null }) {
  if (!fault) return null
  return (
    <div role="alert" className={styles['fault']}>
      <p className={styles['strong']}>{fault.title}</p>
      <p className={styles['plain']}>{fault.text}</p>
    </div>
  )
}
