import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  title: string
  /** One line: region, dates, freshness of the data. */
  context?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, context, actions }: Props) {
  return (
    <Group justify="space-between" align="flex-end" mb="md" gap="sm">
      <div>
        <Title order={1}>{title}</Title>
        {context ? (
          <Text c="dimmed" size="sm">
            {context}
          </Text>
        ) : null}
      </div>
      {actions ? (
        <Group gap="sm" className="only-screen">
          {actions}
        </Group>
      ) : null}
    </Group>
  )
}
