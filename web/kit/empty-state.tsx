import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface Props {
  title: string
  /** One sentence about what to do next. */
  children?: ReactNode
  icon?: ReactNode
  action?: ReactNode
  /** Heading level; 1 if it is the only heading of the page. */
  order?: 1 | 2
}

/** What is shown where there is nothing: why, and what to do. */
export function EmptyState({ title, children, icon, action, order = 2 }: Props) {
  return (
    <Stack className={styles['box'] ?? ''} align="center" gap="sm">
      {icon ? (
        <span className={styles['icon']} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      <Title order={order} ta="center">
        {title}
      </Title>
      {children ? (
        <Text component="div" c="dimmed" ta="center" maw={460}>
          {children}
        </Text>
      ) : null}
      {action}
    </Stack>
  )
}
