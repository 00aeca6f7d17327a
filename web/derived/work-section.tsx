import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A section of the page: title, explanation, and a table that is a landmark with the same name. */
export function WorkSection({
  name,
  children,
}: {
  name: 'server' | 'backups' | 'feeds' | 'jobs' | 'data' | 'queries'
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <section style={{ marginBottom: 'var(--mantine-spacing-xl)' }}>
      <Title order={2} size="h4">
        {t(`derived:${name}.title`)}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`derived:${name}.note`)}
      </Text>
      {children}
    </section>
  )
}
