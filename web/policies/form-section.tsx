import { useId, type ReactNode } from 'react'
import styles from './editor.module.css'

/** A part of the form, named by its title. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <h2 id={id} className={styles['partTitle']}>
        {title}
      </h2>
      {children}
    </section>
  )
}
