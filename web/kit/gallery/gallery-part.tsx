import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import styles from './gallery.module.css'

/** A section with widgets of one kind. */
export function GalleryPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <div className={styles['widgets']}>{children}</div>
    </section>
  )
}
