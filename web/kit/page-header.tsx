import { Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  title: string
  /** One line: region, dates, freshness of the data. */
  context?: ReactNode
  actions?: ReactNode
}

/** Title of a page with its context and actions. Actions stay top right while the context loads or wraps. */
export function PageHeader({ title, context, actions }: Props) {
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Box flex="1 1 224px">
        <Title order={1}>{title}</Title>
        {context ? (
          <Text c="dimmed" size="sm">
            {context}
          </Text>
        ) : null}
      </Box>
      {actions ? (
        <Group gap="sm" className="only-screen">
          {actions}
        </Group>
      ) : null}
    </Group>
  )
}
