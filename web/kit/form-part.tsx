import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import styles from './form-part.module.css'

interface Props {
  title: string
  text?: string
  children: ReactNode
}

/** A section of a long form, with its title at the side if there is room. */
export function FormPart({ title, text, children }: Props) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        {text ? (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        ) : null}
      </div>
      <div className={styles['fields']}>{children}</div>
    </section>
  )
}
