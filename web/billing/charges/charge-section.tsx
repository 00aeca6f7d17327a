import { Group, Stack, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import styles from '../billing.module.css'

interface Props {
  title: string
  text: string
  /** Button beside the title. */
  action: ReactNode
  children: ReactNode
}

/** A section of the Charges tab: title, button, and a full-width table. */
export function ChargeSection({ title, text, action, children }: Props) {
  const id = useId()
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} flex="1 1 320px">
          <Title order={2} id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </Stack>
        {action}
      </Group>
      {children}
    </section>
  )
}
